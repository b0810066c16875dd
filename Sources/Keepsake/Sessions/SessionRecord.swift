import KeepsakeFiles
import KeepsakeSeal

/// The record of a process about its use of a session (Spec/state.md, section 3).
struct SessionRecord: Equatable {
  enum Use: String {
    case active, background, userQuit, systemKill, discarded
  }

  private static let heading = "keepsake session 0"
  private static let byteLimit = 256

  var use: Use
  /// The identifier of this boot of the machine; empty when the system gives none.
  var boot = MachineBoot.identifier

  /// The reason for a restore, by how the process that left a record ended; nil means a missing or unreadable record.
  static func reason(of record: SessionRecord?) -> RestorationReason {
    switch record?.use {
    case .userQuit: .userQuit
    case .systemKill, .background: .systemKill
    // A process that was active when the machine went down did not crash.
    case .active: record?.boot == MachineBoot.identifier ? .crash : .systemKill
    case .discarded, nil: .crash
    }
  }

  /// Reads a record; nil when it is missing or unreadable.
  init?(at path: String) {
    guard let bytes = try? DurableFile.read(at: path, upTo: Self.byteLimit) else { return nil }
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 3, lines[0] == Self.heading, let use = Use(rawValue: String(lines[1]))
    else { return nil }
    self.use = use
    boot = String(lines[2])
  }

  init(_ use: Use) {
    self.use = use
  }

  func write(to path: String) throws(KeepsakeError) {
    let bytes = Array("\(Self.heading)\n\(use.rawValue)\n\(boot)\n".utf8)
    try KeepsakeError.access { () throws(FileError) in
      try DurableFile.replace(at: path, with: bytes.span)
    }
  }
}
