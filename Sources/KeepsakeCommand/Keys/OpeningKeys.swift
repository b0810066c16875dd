import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// The keys that open a file: the same options on every verb that opens one.
struct OpeningOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "A key: a key file, with or without a passphrase, or an identity. May be repeated.",
      discussion:
        "Without any of these options the keys in the directory of the file are tried, as a saved "
        + "state has them, and a passphrase is asked for where the file takes one.",
      valueName: "file"))
  var key: [String] = []

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "An identity, whose recipient the file is for. May be repeated.", valueName: "file"))
  var identity: [String] = []

  @OptionGroup var passphrase: PassphraseOptions

  /// True when the user has named a key.
  var isExplicit: Bool {
    get throws(Failure) {
      let source = try passphrase.source
      return !key.isEmpty || !identity.isEmpty || source != nil
    }
  }

  /// Reads the keys to try at a sealed file.
  func keys(for summary: SealedFileSummary, at path: String?) throws -> OpeningKeys {
    var keys = OpeningKeys(summary: summary, path: path, passphrase: try passphrase.source)
    for file in key { try keys.add(file: file) }
    for file in identity { try keys.add(identity: file) }
    if try passphrase.source != nil { try keys.addPassphrase() }
    if try !isExplicit { try keys.addKeysBeside() }
    return keys
  }
}

/// The keys to try at one sealed file, and the failure when none fits.
struct OpeningKeys {
  private let summary: SealedFileSummary
  private let path: String?
  private var reader: KeyReader
  private(set) var held: [HeldKey] = []
  private var tried: [String] = []
  /// The paths at which there was no key.
  private var missing: [String] = []

  init(summary: SealedFileSummary, path: String?, passphrase: PassphraseSource?) {
    self.summary = summary
    self.path = path
    reader = KeyReader(passphrase)
  }

  private var session: SessionIdentifier? { summary.statePurpose?.session }
  private var takesPassphrase: Bool { summary.slotTypes.contains(.passphrase) }

  /// The directory of the file.
  private var directory: String? {
    path.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
  }

  mutating func add(file: String) throws {
    let key = try reader.key(at: file)
    tried.append("the key at \"\(file)\"")
    held.append(key)
    try addCombined(with: key)
  }

  mutating func add(identity file: String) throws {
    held.append(.identity(try reader.identity(at: file)))
    tried.append("the identity at \"\(file)\"")
  }

  /// Adds a passphrase, unless it opened a key file and the sealed file has no use for it.
  mutating func addPassphrase() throws {
    guard takesPassphrase || !reader.hasOpenedKeyFile else { return }
    held.append(.passphrase(try reader.passphrase(for: "of \(path ?? "the file")")))
    tried.append("the passphrase")
  }

  /// Looks for keys where saved states have them: beside the file, and for a session also the app's.
  mutating func addKeysBeside() throws {
    if let directory, summary.slotTypes.contains(.rawKey) || summary.slotTypes.contains(.x25519) {
      if session == nil {
        try addIfThere(directory + "/key")
      } else {
        // The app's key is stored above the folders of the sessions; each session has one of its own.
        let above = URL(fileURLWithPath: directory).deletingLastPathComponent().path
        try addIfThere(above + "/key")
      }
    }
    if held.isEmpty, takesPassphrase {
      held.append(.passphrase(try reader.passphrase(for: "of \(path ?? "the file")")))
      tried.append("the passphrase")
    }
  }

  private mutating func addIfThere(_ file: String) throws {
    let kind = try DurableFile.kind(of: file)
    if kind == .absent { missing.append(file) } else { try add(file: file) }
  }

  /// A session's state is sealed with the app's key combined with the session's own.
  private mutating func addCombined(with key: HeldKey) throws {
    guard session != nil, let directory, case .key(let app) = key else { return }
    let file = directory + "/key"
    guard try DurableFile.kind(of: file) != .absent else {
      missing.append(file)
      return
    }
    guard case .key(let own) = try reader.key(at: file) else { return }
    held.append(.key(try app.combined(with: own)))
    tried.append("that key combined with the session's own at \"\(file)\"")
  }

  /// Opens the file by one of the keys.
  func opening<Result>(_ body: ([SealIdentity]) throws -> Result) throws -> Result {
    guard !held.isEmpty else { throw nothingToTry }
    do {
      return try body(held.map(\.identity))
    } catch let error as SealError where error.code == .noMatchingKey {
      throw noneFits
    } catch let error as KeepsakeError where error.code == .keyWrong {
      throw noneFits
    }
  }

  private var subject: String { path.map { "\"\($0)\"" } ?? "what was read" }
  private var slots: String { summary.slotTypes.map(\.description).joined(separator: ", ") }

  private var nothingToTry: Failure {
    let places = missing.map { "\"\($0)\"" }.joined(separator: " and at ")
    let there = places.isEmpty ? "" : ", and there is no key at \(places)"
    return Failure(
      "No key was given for \(subject), which has these key slots: \(slots)\(there). "
        + "Name one by --key, --identity or --passphrase.", .keyUnavailable)
  }

  private var noneFits: Failure {
    let places = missing.map { "\"\($0)\"" }.joined(separator: " and at ")
    let there = places.isEmpty ? "" : " There is no key at \(places)."
    return Failure(
      "None of these opens \(subject), which has these key slots: \(slots). Tried: "
        + tried.joined(separator: "; ")
        + ".\(there) The file is as it was; find the key that it was "
        + "sealed with.", .keyUnavailable)
  }
}
