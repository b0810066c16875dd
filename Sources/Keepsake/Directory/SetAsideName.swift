import KeepsakeSeal

/// The name of something that was set aside: the name that it had, a reason, and a number, as in
/// `state.keepsake.damaged-3` (Spec/state.md, section 1).
///
/// It gets a number higher than everything of its own name that was set aside in the directory before,
/// and no lower than anything else: so the numbers tell what came first when no clock does, and an archive
/// and its key that are set aside together have the same one.
struct SetAsideName {
  private static let reasons: Set = ["damaged", "interrupted", "refused", "set-aside"]

  let original: String
  let reason: String
  let number: Int

  init(_ original: String, _ reason: String, _ number: Int) {
    (self.original, self.reason, self.number) = (original, reason, number)
  }

  /// Reads a name; nil when it is none of these.
  init?(_ name: String) {
    guard let dot = name.lastIndex(of: "."), let hyphen = name.lastIndex(of: "-"), dot < hyphen,
      let number = Int(name[name.index(after: hyphen)...]), (1..<1_000_000_000).contains(number)
    else { return nil }
    self.init(String(name[..<dot]), String(name[name.index(after: dot)..<hyphen]), number)
    guard !original.isEmpty, Self.reasons.contains(reason), text == name else { return nil }
  }

  var isArchive: Bool { original == "state.keepsake" }
  /// Whether it is a key's; nothing but a reset sets keys aside.
  var isKey: Bool { original == "key" && reason == "set-aside" }
  var text: String { "\(original).\(reason)-\(number)" }

  /// What was set aside in a directory, the first of all first.
  static func all(in directory: String) throws(SealError) -> [SetAsideName] {
    try DurableFile.names(in: directory).compactMap { SetAsideName($0) }
      .sorted { ($0.number, $0.text) < ($1.number, $1.text) }
  }
}

extension DurableFile {
  /// The path under which what is at a path is set aside, beside it.
  static func freePath(beside path: String, _ reason: String) throws(SealError) -> String {
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

  /// Moves whatever is at a path aside; a link is moved itself.
  ///
  /// - Returns: Its path now; nil when there is nothing.
  static func setAside(_ path: String, _ reason: String) throws(SealError) -> String? {
    while true {
      guard try kind(of: path) != .absent else { return nil }
      let asidePath = try freePath(beside: path, reason)
      do throws(SealError) {
        try moveEntry(from: path, to: asidePath)
        return asidePath
      } catch {
        // Somebody else took the name in between.
        if error.code != .alreadyExists { throw error }
      }
    }
  }
}
