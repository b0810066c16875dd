import KeepsakeFiles

/// The list of the windows that are open, from back to front (Spec/state.md, section 2.1).
///
/// It is read and changed under the lock of the folder of all sessions.
struct OpenWindows {
  private static let heading = "keepsake windows 0"
  private static let maximumCount = 10_000
  private static let byteLimit = 1 << 20

  private let folder: StateDirectory
  /// The sessions of the windows, from back to front; nil when there is no list, or it cannot be read.
  private(set) var identifiers: [SessionIdentifier]?

  init(in folder: StateDirectory) {
    self.folder = folder
    identifiers = Self.read(Self.path(in: folder))
  }

  private static func path(in folder: StateDirectory) -> String { folder.path + "/windows" }

  private static func read(_ path: String) -> [SessionIdentifier]? {
    guard let bytes = try? DurableFile.read(at: path, upTo: byteLimit) else { return nil }
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)[...]
    guard lines.popFirst() == heading[...], lines.popLast() == "" else { return nil }
    var (identifiers, seen): ([SessionIdentifier], Set<SessionIdentifier>) = ([], [])
    for line in lines {
      guard let identifier = try? SessionIdentifier(String(line)) else { return nil }
      if seen.insert(identifier).inserted { identifiers.append(identifier) }
    }
    return identifiers
  }

  /// Adds a window in front of the others; false when it is listed already.
  @discardableResult
  mutating func add(_ identifier: SessionIdentifier) throws(KeepsakeError) -> Bool {
    guard identifiers?.contains(identifier) != true else { return false }
    try replace((identifiers ?? []) + [identifier], adding: identifier)
    return true
  }

  mutating func bringToFront(_ identifier: SessionIdentifier) throws(KeepsakeError) {
    guard identifiers?.last != identifier else { return }
    let others = (identifiers ?? []).filter { $0 != identifier }
    try replace(others + [identifier], adding: identifier)
  }

  /// Removes a window, which the user has closed.
  mutating func remove(_ identifier: SessionIdentifier) throws(KeepsakeError) {
    guard let identifiers, identifiers.contains(identifier) else { return }
    try replace(identifiers.filter { $0 != identifier })
  }

  /// Writes another list, without sessions that have no folder any more.
  private mutating func replace(
    _ list: [SessionIdentifier], adding new: SessionIdentifier? = nil
  ) throws(KeepsakeError) {
    let folder = folder
    let present = list.filter { identifier in
      let path = SessionFiles(identifier, in: folder).directory.path
      return identifier == new || (try? DurableFile.kind(of: path)) != .absent
    }
    .suffix(Self.maximumCount)
    let text = ([Self.heading] + present.map(\.text)).map { $0 + "\n" }.joined()
    try KeepsakeError.access { () throws(FileError) in
      try DurableFile.replace(at: Self.path(in: folder), with: Array(text.utf8).span)
    }
    identifiers = Array(present)
  }
}
