import KeepsakeSeal

/// What a process leaves on record about its use of a session (Spec/state.md, section 3).
struct SessionRecord: Equatable {
  enum Use: String {
    case active, background, userQuit, systemKill, discarded
  }

  private static let heading = "keepsake session 0"
  private static let byteLimit = 256

  var use: Use
  /// What tells this run of the machine from the ones before; empty where the system does not say.
  var boot = MachineBoot.identifier

  /// How the process ended that left this record; `nil` stands for no record or an unreadable one.
  static func reason(of record: SessionRecord?) -> RestorationReason {
    switch record?.use {
    case .userQuit: .userQuit
    case .systemKill, .background: .systemKill
    // A process that was active when the machine went down did not crash.
    case .active: record?.boot == MachineBoot.identifier ? .crash : .systemKill
    case .discarded, nil: .crash
    }
  }

  /// Reads a record; one that cannot be read is none.
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
    try KeepsakeError.access { () throws(SealError) in
      try DurableFile.replace(at: path, with: bytes.span)
    }
  }
}
