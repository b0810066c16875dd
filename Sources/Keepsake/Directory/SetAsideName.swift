import KeepsakeFiles
import KeepsakeSeal

/// The name of a file that was set aside: its former name, a reason, and a number, as in `state.keepsake.damaged-3`
/// (Spec/state.md, section 1).
///
/// The number is higher than that of every file with the same former name that was set aside in the directory before,
/// and no lower than that of any other file. So the numbers give the order without a clock, and an archive and its
/// key that are set aside together have the same number.
struct SetAsideName {
  private static let reasons: Set = ["damaged", "interrupted", "refused", "set-aside"]

  let original: String
  let reason: String
  let number: Int

  init(_ original: String, _ reason: String, _ number: Int) {
    (self.original, self.reason, self.number) = (original, reason, number)
  }

  /// Parses a name; nil for any other name.
  init?(_ name: String) {
    guard let dot = name.lastIndex(of: "."), let hyphen = name.lastIndex(of: "-"), dot < hyphen,
      let number = Int(name[name.index(after: hyphen)...]), (1..<1_000_000_000).contains(number)
    else { return nil }
    self.init(String(name[..<dot]), String(name[name.index(after: dot)..<hyphen]), number)
    guard !original.isEmpty, Self.reasons.contains(reason), text == name else { return nil }
  }

  var isArchive: Bool { original == "state.keepsake" }
  /// True when the file is a key; only a reset sets keys aside.
  var isKey: Bool { original == "key" && reason == "set-aside" }
  var text: String { "\(original).\(reason)-\(number)" }

  /// The files that were set aside in a directory, the first one first.
  static func all(in directory: String) throws(FileError) -> [SetAsideName] {
    try DurableFile.names(in: directory).compactMap { SetAsideName($0) }
      .sorted { ($0.number, $0.text) < ($1.number, $1.text) }
  }
}

extension DurableFile {
  /// A free path for a file that is set aside, in the same directory.
  package static func freePath(beside path: String, _ reason: String) throws(FileError) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let directory = parts.dropLast().joined(separator: "/")
    let place = parts.count == 1 ? "." : directory.isEmpty ? "/" : directory
    let name = parts.last.map(String.init)
    var number = 0
    for other in try SetAsideName.all(in: place) {
      number = max(number, other.original == name ? other.number : other.number - 1)
    }
    var candidate: String
    repeat {
      number += 1
      candidate = "\(path).\(reason)-\(number)"
    } while try DurableFile.kind(of: candidate) != .absent
    return candidate
  }

  /// Sets the entry at a path aside, whatever it is, and returns its new path; nil when nothing is at the path.
  ///
  /// A link itself is moved.
  static func setAside(_ path: String, _ reason: String) throws(FileError) -> String? {
    while true {
      guard try kind(of: path) != .absent else { return nil }
      let asidePath = try freePath(beside: path, reason)
      do throws(FileError) {
        try moveEntry(from: path, to: asidePath)
        return asidePath
      } catch {
        // Another process took the name in between.
        if error.code != .alreadyExists { throw error }
      }
    }
  }
}
