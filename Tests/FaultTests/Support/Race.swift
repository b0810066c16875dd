import Foundation
import Testing

@testable import Keepsake
@testable import KeepsakeSeal

/// Two operations of the subject on one session, in two processes; the first one is stopped in the middle
/// while the other one runs.
struct Race: Sendable, CustomTestStringConvertible {
  /// The operations that write; each of them races with each.
  static let operations = [
    "save", "rewrap", "reseal", "reset", "passphrase", "migrate", "prune", "discard",
  ]

  /// The operation that is stopped, and the operation that runs meanwhile.
  let stopped: String
  let other: String
  /// True when the system cannot exchange names, so that only locks protect files.
  var isWithoutExchange = false

  static let all = operations.flatMap { first in
    operations.map { Race(stopped: "race-" + first, other: "race-" + $0) }
  }

  /// The operations that replace files, without an exchange of names; removing takes no lock.
  static let withoutExchange = operations.prefix(6).flatMap { first in
    operations.prefix(6).map {
      Race(stopped: "race-" + first, other: "race-" + $0, isWithoutExchange: true)
    }
  }

  /// True when the stopped operation (0) or the other one (1) saves.
  func isSave(_ which: Int) -> Bool { (which == 0 ? stopped : other).hasSuffix("-save") }

  var testDescription: String {
    "\(stopped) that is stopped, and \(other)" + (isWithoutExchange ? ", without exchange" : "")
  }

  func environment() throws -> [String: String] {
    isWithoutExchange ? ["LD_PRELOAD": try Tools.noExchange.get()] : [:]
  }
}

/// The files of a race, which are the same each time.
final class RaceStage {
  /// The results of both operations, as their callers see them.
  struct Ending: Hashable {
    let stopped: Bool
    let other: Bool
  }

  /// The endings of both operations, and the final content of the directory.
  struct Result: Hashable {
    let ending: Ending
    let content: [String]
  }

  let race: Race
  private let root: String
  private let template: String
  private let directory: String
  private let reader: RaceDirectory

  init(_ race: Race) throws {
    self.race = race
    // The files are in memory if possible; other tests check what reaches the disk.
    let isThere = FileManager.default.isWritableFile(atPath: "/dev/shm")
    let base = isThere ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    root = base + "/keepsake-race-" + UUID().uuidString
    (template, directory) = (root + "/template", root + "/work")
    try DurableFile.createDirectory(at: template)
    reader = try RaceDirectory(preparing: template)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  private func reset() throws {
    try? FileManager.default.removeItem(atPath: directory)
    // `-a` keeps the times, which decide which sessions are pruned.
    try Command.succeed("cp", "-a", template, directory)
  }

  private func run(_ operation: String) throws -> Bool {
    try ended(
      try Command.run(
        [Scene.subject, operation, directory], environment: race.environment()
      ).status, operation)
  }

  private func ended(_ status: Int32, _ operation: String) throws -> Bool {
    guard status == 0 || status == 1 else {
      throw FaultFailure("\(operation) ended with \(status)")
    }
    return status == 0
  }

  /// The results that are allowed: those of one operation after the other, in either order, where an
  /// operation that failed counts as not made.
  func allowed() throws -> Set<Result> {
    try reset()
    let none = Ending(stopped: false, other: false)
    var allowed: Set<Result> = [Result(ending: none, content: try reader.content(of: directory))]
    for order in [[0, 1], [1, 0]] {
      // An operation that does not save does not count as a use of the session, which may have been counted
      // as old before.
      for restoresTime in [false, true] {
        try reset()
        var isDone = [false, false]
        for which in order {
          isDone[which] = try run(which == 0 ? race.stopped : race.other)
          allowed.insert(result(isDone, try reader.content(of: directory)))
          if restoresTime, !race.isSave(which) { try restoreTime() }
        }
        #expect(isDone[order[0]], "\(race) alone")
      }
    }
    return allowed
  }

  private func restoreTime() throws {
    let name = "/sessions/a.session/state.keepsake"
    guard FileManager.default.fileExists(atPath: directory + name) else { return }
    try Command.succeed("touch", "-r", template + name, directory + name)
  }

  private func result(_ isDone: [Bool], _ content: [String]) -> Result {
    Result(ending: Ending(stopped: isDone[0], other: isDone[1]), content: content)
  }

  /// Stops the first operation at its call of this number and runs the other one; nil when it makes fewer
  /// calls.
  func result(stoppingAt number: Int) throws -> (result: Result, place: String)? {
    try reset()
    let (first, second) = (root + "/first", root + "/second")
    let command = try Command.run(
      [try Tools.stopAt.get(), String(number), first, second]
        + [try Scene.subject, race.stopped, directory, "--"]
        + [try Scene.subject, race.other, directory], environment: race.environment())
    let words = command.output.split(whereSeparator: \.isWhitespace)
    guard command.status == 0, words.count >= 3 else {
      throw FaultFailure("stop-at: \(command.status) \(command.output) \(command.error)")
    }
    if words[0] == "past" { return nil }
    guard let status = Int32(words[1]), let otherStatus = Int32(words[2]) else {
      throw FaultFailure("stop-at: \(command.output)")
    }
    let ending = Ending(
      stopped: try ended(status, race.stopped), other: try ended(otherStatus, race.other))
    let said = try [first, second].map {
      String(decoding: try Data(contentsOf: URL(fileURLWithPath: $0)), as: UTF8.self)
        .replacingOccurrences(of: "begin\n", with: "").trimmingCharacters(in: .newlines)
    }
    return (
      Result(ending: ending, content: try reader.content(of: directory)),
      "call \(number), \(words[0]), the other \(words[3]); \(race.stopped): \(said[0]); "
        + "\(race.other): \(said[1])"
    )
  }
}

/// Reads all of a state directory with every key in it.
struct RaceDirectory {
  private static let passphrases = ["passphrase", "other passphrase"]

  /// The initial keys with their names.
  private let knownKeys: [(name: String, key: SealKey)]

  /// Fills a directory with two sessions; `a` is the older one, and can be migrated.
  init(preparing path: String) throws {
    let directory = StateDirectory(path: path)
    try DurableFile.createDirectory(at: directory.sessionsPath)
    let appKey = try SealKey.create(
      at: directory.sessionsPath + "/key", passphrase: Self.passphrase(0),
      cost: PassphraseCost(passes: 1, memoryByteCount: 8 << 10))
    var known = [(name: "app key", key: appKey)]
    let sessions = StateSessions(in: directory, keyStore: FixedKeyStore(key: appKey))
    for (name, version, age) in [("a", "1", 60.0), ("b", "2", 30.0)] {
      let session = try sessions.openNow(try SessionIdentifier(name))
      try session.store.saveNow(
        FaultOperation.contacts(version: version, key: "nm", count: 3), previous: .replace)
      let own = "\(directory.sessionsPath)/\(name).session"
      known.append((name: "key of \(name)", key: try SealKey.read(at: own + "/key")))
      try FileManager.default.setAttributes(
        [.modificationDate: Date.now.addingTimeInterval(-age)],
        ofItemAtPath: own + "/state.keepsake")
    }
    knownKeys = known
  }

  private struct FixedKeyStore: KeyStore {
    let key: SealKey
    func existingKey() throws(KeepsakeError) -> SealKey { key }
    func existingOrNewKey() throws(KeepsakeError) -> SealKey { key }
    func setKeyAside() throws(KeepsakeError) {}
  }

  /// A line for each file: its path and its content.
  func content(of path: String) throws -> [String] {
    var keys: [String: SealKey] = [:]
    var lines: [String] = []
    var sealed: [String] = []
    let names = FileManager.default.enumerator(atPath: path)
    while let name = names?.nextObject() as? String {
      let file = path + "/" + name
      guard case .regular = try DurableFile.kind(of: file) else {
        lines.append(name + "/")
        continue
      }
      if name.hasSuffix("/lock") || name == "lock" { continue }
      let bytes = try DurableFile.read(at: file, upTo: 1 << 20)
      switch bytes.prefix(4) {
      case [0x89, 0x4B, 0x53, 0x46]: sealed.append(name)
      case [0x89, 0x4B, 0x53, 0x4B], [0x89, 0x4B, 0x53, 0x50]:
        let (key, opener) = Self.key(at: file)
        keys[name] = key
        lines.append("\(name): \(self.name(of: key)), \(opener)")
      default:
        // The record of a session's use.
        let text = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        lines.append("\(name): \(text.count > 1 ? String(text[1]) : "\(bytes.count) bytes")")
      }
    }
    for name in sealed { lines.append("\(name): \(try archive(path, name, keys))") }
    return lines.sorted()
  }

  private func name(of key: SealKey?) -> String {
    guard let key else { return "unreadable" }
    return knownKeys.first { $0.key.isEqual(to: key) }?.name ?? "new key"
  }

  private static func key(at path: String) -> (SealKey?, String) {
    if let key = try? SealKey.read(at: path) { return (key, "open") }
    for text in passphrases {
      if let passphrase = try? passphrase(passphrases.firstIndex(of: text) ?? 0),
        let key = try? SealKey.read(at: path, passphrase: passphrase)
      {
        return (key, text)
      }
    }
    return (nil, "locked")
  }

  /// The content of a sealed archive, opened with the keys beside it and those of the app.
  private func archive(
    _ path: String, _ name: String, _ keys: [String: SealKey]
  ) throws -> String {
    let folder = name.split(separator: "/").dropLast().joined(separator: "/")
    for (own, key) in keys where own.hasPrefix(folder + "/") {
      for (app, appKey) in keys where app.hasPrefix("sessions/key") {
        let combined = try appKey.combined(with: key)
        let context = try SealedFile.inspect(path + "/" + name).statePurpose?.context ?? []
        guard
          let file = try? SealedFile.open(
            path + "/" + name, with: [.key(combined)], context: context)
        else { continue }
        let archive = try Archive(try file.read())
        let version = archive.reserved.bundleVersion ?? "none"
        return
          "\(archive.objectCount) contacts of version \(version), generation \(file.generation), "
          + "\(file.summary.slotTypes), under \(self.name(of: appKey)) and \(self.name(of: key))"
      }
    }
    return "undecryptable"
  }

  private static func passphrase(_ index: Int) throws -> SealPassphrase {
    let bytes = Array(passphrases[index].utf8)
    return try SealPassphrase(copying: bytes.span)
  }
}
