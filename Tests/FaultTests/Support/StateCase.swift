import Foundation
import Keepsake
import Testing

/// An operation on a state directory, and the findings of the next launch before and after it.
struct StateCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let operation: FaultOperation
  /// The finding of a launch before the operation.
  let old: String
  /// The finding of a launch after it.
  let new: String
  /// The parts of the finding that every fault must keep, if a fault may leave a part of the change until the
  /// operation is called again.
  var kept: [String] = []

  static let all = [
    save, remove, reset, pinnedSave, pinnedRemove, pinnedReset, firstSave, prune, discard,
    removeSession, resetSessions, migrate,
    migrateSessions, passphrase, updateValue, saveValue, updateJournaled, compactJournaled, rotate,
  ]

  /// True when the caller can allow a file system without locks.
  ///
  /// Stores of values, passphrase changes and rotations of keys always need locks.
  var allowsMissingLocks = true

  static let save = StateCase("save", ["state-save", "%", "2", "9000"], "state 1", "state 2")
  static let remove = StateCase("remove", ["state-remove", "%"], "state 1", "nothing")
  static let reset = StateCase(
    "reset", ["state-reset", "%"], "state 1", "aside 1", kept: ["1"])
  static let pinnedSave = StateCase(
    "save with a pin", save.operation.arguments + ["--pinned"], save.old, save.new)
  static let pinnedRemove = StateCase(
    "remove with a pin", remove.operation.arguments + ["--pinned"], remove.old, remove.new)
  static let pinnedReset = StateCase(
    "reset with a pin", reset.operation.arguments + ["--pinned"], reset.old, reset.new,
    kept: reset.kept)
  static let migrate = StateCase(
    "migrate a state", ["state-migrate", "%"], "contacts nm", "contacts name")
  static let passphrase = StateCase(
    "passphrase", ["passphrase", "%/key", "other passphrase"], "passphrase", "other passphrase",
    allowsMissingLocks: false)

  /// An update that is made twice would find 3.
  static let updateValue = StateCase(
    "update a value", ["value-update", "%"], "value 1", "value 2", allowsMissingLocks: false)
  static let saveValue = StateCase(
    "save a value", ["value-save", "%"], "value 1", "value 2", allowsMissingLocks: false)
  /// An update that is made twice would find 3.
  static let updateJournaled = StateCase(
    "update a journaled value", ["journaled-update", "%"], "journaled 1", "journaled 2",
    allowsMissingLocks: false)
  static let compactJournaled = StateCase(
    "compact a journaled value", ["journaled-compact", "%"], "journaled 1",
    "journaled 1 compacted", allowsMissingLocks: false)
  static let rotate = StateCase(
    "rotate a key", ["key-rotate", "%"], "key 1 state 1", "key 2 state 1", kept: ["state 1"],
    allowsMissingLocks: false)

  static let firstSave = StateCase(
    "save in a session", ["session-save", "%", "c", "9000"], "a 1, b 2", "a 1, b 2, c 0")
  static let prune = StateCase("prune", ["session-prune", "%", "1"], "a 1, b 2", "b 2")
  static let discard = StateCase("discard", ["session-discard", "%", "a"], "a 1, b 2", "b 2")
  static let removeSession = StateCase(
    "remove a session", ["session-remove", "%", "a"], "a 1, b 2", "b 2")
  static let resetSessions = StateCase(
    "reset sessions", ["session-reset", "%"], "a 1, b 2", "a aside 1, b aside 2",
    kept: ["1", "2"])
  static let migrateSessions = StateCase(
    "migrate sessions", ["session-migrate", "%"], "a contacts nm, b contacts nm",
    "a contacts name, b contacts name", kept: ["a contacts n", "b contacts n"])

  private init(
    _ name: String, _ arguments: [String], _ old: String, _ new: String, kept: [String] = [],
    allowsMissingLocks: Bool = true
  ) {
    testDescription = name
    operation = FaultOperation(name, arguments, from: [:], to: [:])
    (self.old, self.new, self.kept) = (old, new, kept)
    self.allowsMissingLocks = allowsMissingLocks
  }

  /// Fills an empty directory with the initial files of the operation.
  func prepare(_ path: String) throws {
    let directory = StateDirectory(path: path)
    switch old {
    case "passphrase":
      _ = try SealKey.create(
        at: directory.keyPath, passphrase: Self.passphrase(old), cost: .constrained)
    case "state 1": try store(path).saveNow([1, 1], previous: .replace)
    case "value 1": try Self.valueStore(path).save(1)
    case "journaled 1": try Self.journaledValue(path).update(1)
    case "key 1 state 1":
      try store(path).saveNow([1, 1], previous: .replace)
      // This copy distinguishes the old key from the new one.
      try FileManager.default.copyItem(
        atPath: directory.keyPath, toPath: path + "/first")
    case "contacts nm":
      try SealedStateStore(directory: directory).saveNow(Self.contacts("nm"), previous: .replace)
    default:
      let sessions = StateSessions(in: directory)
      for part in old.split(separator: ", ") {
        let words = part.split(separator: " ")
        let session = try sessions.openNow(try SessionIdentifier(String(words[0])))
        let bytes = try UInt8(words[1]).map { [$0, $0] } ?? Self.contacts(String(words[2]))
        try session.store.saveNow(bytes, previous: .replace)
        // The times differ even if the file system's clock is coarse.
        let age = part.hasPrefix("a") ? 60.0 : 30.0
        try FileManager.default.setAttributes(
          [.modificationDate: Date.now.addingTimeInterval(-age)],
          ofItemAtPath: "\(directory.sessionsPath)/\(words[0]).session/state.keepsake")
      }
    }
  }

  /// The store of the next launch, which keeps pins as the operation does.
  private func store(_ path: String) -> SealedStateStore {
    let isPinned = operation.arguments.contains("--pinned")
    return SealedStateStore(
      directory: StateDirectory(path: path),
      freshnessStore: isPinned ? FileFreshnessStore(path: path) : nil)
  }

  private static func valueStore(_ path: String) -> SealedValueStore<Int> {
    SealedValueStore(
      path: path + "/value", key: .keyStore(KeyFileStore(path: path + "/key")), default: 0)
  }

  private static func journaledValue(_ path: String) -> JournaledValue<Int, Int> {
    JournaledValue(
      path: path + "/journaled", key: .keyStore(KeyFileStore(path: path + "/key")), default: 0,
      compactionSize: nil
    ) { $0 += $1 }
  }

  /// True when a fault may leave this finding.
  func allowsPart(_ found: String) -> Bool {
    !kept.isEmpty && kept.allSatisfy { found.contains($0) }
  }

  /// The finding of the next launch, after it has cleaned up.
  func found(in path: String) throws -> String {
    let directory = StateDirectory(path: path)
    if old == "passphrase" {
      let works = ["passphrase", "other passphrase"].filter { text in
        (try? SealKey.read(at: directory.keyPath, passphrase: Self.passphrase(text)))
          != nil
      }
      return works.joined(separator: " and ")
    }
    if old == "value 1" { return "value \(try Self.valueStore(path).load())" }
    if old == "journaled 1" {
      let value = try Self.journaledValue(path).load()
      let hasFirstFile = FileManager.default.fileExists(
        atPath: path + "/journaled/0000000001.journal")
      return "journaled \(value)" + (hasFirstFile ? "" : " compacted")
    }
    if old == "key 1 state 1" {
      let isFirst = FileManager.default.contentsEqual(
        atPath: directory.keyPath, andPath: path + "/first")
      let isUnfinished = try KeyRotation(
        keyPath: directory.keyPath, files: [directory.archivePath]
      ).isUnfinished()
      let key = isUnfinished ? "key under way" : "key \(isFirst ? 1 : 2)"
      return "\(key) \(try Self.found(store(path), directory, appKeys: nil))"
    }
    guard FileManager.default.fileExists(atPath: directory.sessionsPath) else {
      return try Self.found(store(path), directory, appKeys: nil)
    }
    let sessions = StateSessions(in: directory)
    // Files that resets left behind stay until something else is saved in the same directory.
    _ = try sessions.pruneNow()
    var parts: [String] = []
    for summary in try sessions.listNow().sorted(by: { $0.identifier < $1.identifier }) {
      let own = StateDirectory(
        path: "\(directory.sessionsPath)/\(summary.identifier).session")
      let session = try sessions.openNow(summary.identifier)
      parts.append(
        "\(summary.identifier) "
          + (try Self.found(session.store, own, appKeys: directory.sessionsPath)))
    }
    let hasAppKey = FileManager.default.fileExists(atPath: directory.sessionsPath + "/key")
    if hasAppKey, parts.allSatisfy({ $0.hasSuffix("aside 1") || $0.hasSuffix("aside 2") }) {
      parts.append("app key")
    }
    return parts.joined(separator: ", ")
  }

  private static func found(
    _ store: SealedStateStore, _ directory: StateDirectory, appKeys: String?
  ) throws -> String {
    var parts: [String] = []
    if case .archive(let bytes, _) = try store.loadNow() {
      parts.append(text(of: bytes, isSession: appKeys != nil))
    }
    // A kill between the two steps of a move leaves one file under two names.
    var aside: Set<String> = []
    for name in try names(in: directory.path) where name.hasPrefix("state.keepsake.set-aside-") {
      let bytes = try opened(directory.path + "/" + name, in: directory, appKeys: appKeys)
      aside.insert("aside \(bytes[0])")
    }
    parts += aside.sorted()
    let hasState = parts.contains { !$0.hasPrefix("aside") }
    if !hasState, !parts.isEmpty, try DurableFile.kind(of: directory.keyPath) != .absent {
      parts.append("key")
    }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }

  private static func text(of bytes: [UInt8], isSession: Bool) -> String {
    if let archive = try? Archive(bytes) {
      let names = archive.reserved.bundleVersion == "1" ? "nm" : "name"
      return "contacts \(names)"
    }
    // The length is one that was written, and all bytes are equal.
    let isWhole = [2, 9_000].contains(bytes.count) && Set(bytes).count == 1
    return (isSession ? "" : "state ") + (isWhole ? "\(bytes[0])" : "torn")
  }

  /// Opens a file that was set aside with any of the stored keys.
  private static func opened(
    _ path: String, in directory: StateDirectory, appKeys: String?
  ) throws -> [UInt8] {
    var keys = try keyFiles(in: directory.path)
    if let appKeys {
      let own = keys
      keys = try keyFiles(in: appKeys).flatMap { key in try own.map { try key.combined(with: $0) } }
    }
    for key in keys {
      let context = try SealedFile.inspect(path).statePurpose?.context ?? []
      if let file = try? SealedFile.open(path, with: [.key(key)], context: context) {
        return try file.read()
      }
    }
    throw FaultFailure("no key opens \(path)")
  }

  private static func keyFiles(in path: String) throws -> [SealKey] {
    try names(in: path).filter { $0 == "key" || $0.hasPrefix("key.set-aside-") }
      .map { try SealKey.read(at: path + "/" + $0) }
  }

  private static func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  private static func passphrase(_ text: String) throws -> SealPassphrase {
    let bytes = Array(text.utf8)
    return try SealPassphrase(copying: bytes.span)
  }

  private static func contacts(_ key: String) throws -> [UInt8] {
    try FaultOperation.contacts(version: key == "nm" ? "1" : "2", key: ArchiveKey(key))
  }
}
