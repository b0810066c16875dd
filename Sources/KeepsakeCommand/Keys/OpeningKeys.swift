import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// The key files of a verb, with which it opens or seals.
struct KeyFileOptions: ParsableArguments {
  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "A key: a key file, with or without a passphrase, or a file of identities. May be repeated.",
      valueName: "file"),
    completion: .file())
  var key: [String] = []

  @Option(
    name: .customLong("key-fd"),
    help: ArgumentHelp(
      "A key that is read from an open file descriptor. May be repeated.", valueName: "number"))
  var keyDescriptor: [Int32] = []

  /// The places of the keys.
  var sources: [KeySource] {
    key.map { .path($0) } + keyDescriptor.map { .descriptor($0) }
  }

  func validate() throws {
    try checking(as: "keepsake") { () throws(Failure) in
      for source in sources { try source.requireOpen() }
    }
  }

  /// Reads the secrets that read a journal.
  func identities(_ passphrase: PassphraseOptions) throws -> [SealIdentity] {
    guard !sources.isEmpty else {
      throw Failure("Name the key that reads the journal: --key FILE.", .usage)
    }
    var reader = KeyReader(try passphrase.source, to: .open)
    return try sources.flatMap { try reader.keys(from: $0).map(\.identity) }
  }
}

/// The keys that open a file: the same options on every verb that opens one.
struct OpeningOptions: ParsableArguments {
  @OptionGroup var keyFiles: KeyFileOptions

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      "A file of identities, whose recipient the file is for; --key takes these as well. May be repeated.",
      discussion:
        "Without a key, an identity or a passphrase the keys in the directory of the file are tried, as a saved "
        + "state has them, and a passphrase is asked for where the file takes one.",
      valueName: "file"),
    completion: .file())
  var identity: [String] = []

  @OptionGroup var passphrase: PassphraseOptions

  func validate() throws {
    try checking(as: "keepsake") { () throws(Failure) in
      for file in identity { try KeySource.path(file).requireOpen() }
    }
  }

  /// True when the user has named a key.
  var isExplicit: Bool {
    get throws(Failure) {
      let source = try passphrase.source
      return !keyFiles.sources.isEmpty || !identity.isEmpty || source != nil
    }
  }

  /// Reads the secrets that read a journal.
  func journalIdentities() throws -> [SealIdentity] {
    var reader = KeyReader(try passphrase.source, to: .open)
    let others = try identity.flatMap { try reader.identities(from: .path($0)) }
      .map { SealIdentity.x25519($0) }
    return try others
      + (others.isEmpty || !keyFiles.sources.isEmpty ? keyFiles.identities(passphrase) : [])
  }

  /// Reads the keys to try at a sealed file; a file without a path may have a name for sentences.
  func keys(
    for summary: SealedFileSummary, at path: String?, named name: String? = nil
  ) throws -> OpeningKeys {
    var keys = OpeningKeys(
      summary: summary, path: path, name: path ?? name, passphrase: try passphrase.source)
    for source in keyFiles.sources { try keys.add(source) }
    for file in identity { try keys.add(identity: .path(file)) }
    if try passphrase.source != nil { try keys.addPassphrase() }
    if try !isExplicit { try keys.addKeysBeside() }
    return keys
  }
}

/// The keys to try at one sealed file, and the failure when none fits.
struct OpeningKeys {
  private let summary: SealedFileSummary
  private let path: String?
  /// The path or the address of the file; nil for one that was read from a stream.
  private let name: String?
  private var reader: KeyReader
  private(set) var held: [UserKey] = []
  private var tried: [String] = []
  /// The paths at which there was no key.
  private var missing: [String] = []
  /// True when a passphrase is among the keys.
  private var hasPassphrase = false

  init(summary: SealedFileSummary, path: String?, name: String?, passphrase: PassphraseSource?) {
    self.summary = summary
    self.path = path
    reader = KeyReader(passphrase, to: .open)
    self.name = name
  }

  private var session: SessionIdentifier? { summary.statePurpose?.session }
  private var takesPassphrase: Bool { summary.slotTypes.contains(.passphrase) }

  private var directory: String? {
    path.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
  }

  mutating func add(_ source: KeySource) throws {
    let keys = try reader.keys(from: source)
    tried.append("the key at \(source.name)")
    held += keys
    if let first = keys.first { try addCombined(with: first) }
  }

  mutating func add(identity source: KeySource) throws {
    held += try reader.identities(from: source).map { .identity($0) }
    tried.append("the identity at \(source.name)")
  }

  /// Adds a passphrase, unless it opened a key file and the sealed file has no use for it.
  mutating func addPassphrase() throws {
    guard takesPassphrase || !reader.hasOpenedKeyFile else { return }
    held += try reader.passphrases(for: "of \(name ?? "the file")").map { .passphrase($0) }
    tried.append("the passphrase")
    hasPassphrase = true
  }

  /// Looks for keys where saved states have them: beside the file, and for a session also the app's.
  mutating func addKeysBeside() throws {
    if let directory, summary.slotTypes.contains(.rawKey) || summary.slotTypes.contains(.x25519) {
      if session == nil {
        try addIfPresent(directory + "/key")
      } else {
        // The app's key is stored above the folders of the sessions; each session has one of its own.
        let above = URL(fileURLWithPath: directory).deletingLastPathComponent().path
        try addIfPresent(above + "/key")
      }
    }
    if held.isEmpty, takesPassphrase { try addPassphrase() }
  }

  private mutating func addIfPresent(_ file: String) throws {
    let kind = try DurableFile.kind(of: file)
    if kind == .absent { missing.append(file) } else { try add(.path(file)) }
  }

  /// Adds the key of a session's state: the app's key combined with the session's own.
  private mutating func addCombined(with key: UserKey) throws {
    guard session != nil, let directory, case .key(let app) = key else { return }
    let file = directory + "/key"
    guard try DurableFile.kind(of: file) != .absent else {
      missing.append(file)
      return
    }
    guard case .key(let own)? = try reader.keys(from: .path(file)).first else { return }
    held.append(.key(try app.combined(with: own)))
    tried.append("that key combined with the session's own at \"\(file)\"")
  }

  /// Opens the file by one of the keys.
  ///
  /// A person who mistyped a passphrase may type it again, twice.
  mutating func opening<Result>(_ body: ([SealIdentity]) throws -> Result) throws -> Result {
    guard !held.isEmpty else { throw noKeyGiven }
    var attempt = 1
    while true {
      do {
        return try body(held.map(\.identity))
      } catch let error as SealError where error.code == .noMatchingKey {
      } catch let error as KeepsakeError where error.code == .keyWrong {
      }
      guard hasPassphrase, takesPassphrase, reader.promptsUser, attempt < KeyReader.attemptLimit
      else { throw noKeyMatches }
      attempt += 1
      Message.show("That is not the passphrase of \(subject).")
      let again = try reader.passphrases(for: "again")
      held.removeAll { if case .passphrase = $0 { true } else { false } }
      held += again.map { .passphrase($0) }
    }
  }

  private var subject: String { name.map { "\"\($0)\"" } ?? "what was read" }
  private var slots: String { summary.slotTypes.map(\.description).joined(separator: ", ") }

  private var missingPlaces: String? {
    missing.isEmpty ? nil : missing.map { "\"\($0)\"" }.joined(separator: " and at ")
  }

  private var noKeyGiven: Failure {
    let there = missingPlaces.map { ", and there is no key at \($0)" } ?? ""
    // A passphrase opens no file that has no slot for one.
    let ways =
      (summary.slotTypes.contains { $0 != .passphrase } ? ["--key"] : [])
      + (summary.slotTypes.contains(.passphrase) ? ["--passphrase"] : [])
    return Failure(
      "No key was given for \(subject), which has these key slots: \(slots)\(there). "
        + "Name one by \(ways.joined(separator: " or ")).", .keyUnavailable)
  }

  private var noKeyMatches: Failure {
    if hasPassphrase, takesPassphrase, tried.count == 1 {
      return Failure(
        "That is not the passphrase of \(subject); type it again, and mind capital letters and the layout of the "
          + "keyboard. The file is as it was.", .keyUnavailable)
    }
    let there = missingPlaces.map { " There is no key at \($0)." } ?? ""
    return Failure(
      "None of these opens \(subject), which has these key slots: \(slots). Tried: "
        + tried.joined(separator: "; ")
        + ".\(there) The file is as it was; find the key that it was "
        + "sealed with.", .keyUnavailable)
  }
}
