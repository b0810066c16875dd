import Foundation
import KeepsakeJournal
import KeepsakeLogging
import KeepsakeSeal
import Logging
import Testing

@Suite struct `A log in a journal` {
  private func with(
    _ body: (_ path: String, _ journal: Journal<LogRecord>) async throws -> Void
  ) async throws {
    let folder = NSTemporaryDirectory() + "keepsake-log-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(
      folder, try Journal<LogRecord>.open(at: folder, for: .key(SealKey.generate())))
  }

  @Test func `Each message is an entry with its metadata and its place`() async throws {
    try await with { _, journal in
      let log = JournalLog(journal)
      var logger = Logger(label: "app") { log.handler(label: $0) }
      logger[metadataKey: "user"] = "ada"
      logger.info("started", metadata: ["try": "1"])
      logger.debug("below the level")
      logger.logLevel = .trace
      logger.trace("fine", metadata: ["user": "eve"])
      try await log.flush()
      let entries = try journal.last(10).map(\.value)
      #expect(entries.map(\.message) == ["started", "fine"])
      #expect(entries.map(\.level) == [.info, .trace])
      #expect(entries.map(\.metadata) == [["user": "ada", "try": "1"], ["user": "eve"]])
      #expect(entries[0].label == "app" && entries[0].file.hasSuffix("JournalLogTests.swift"))
      #expect(log.droppedCount == 0)
    }
  }

  @Test func `Messages from many tasks keep the order of each task`() async throws {
    try await with { _, journal in
      let log = JournalLog(journal)
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask {
            let logger = Logger(label: "\(task)") { log.handler(label: $0) }
            for number in 0..<50 { logger.info("\(number)") }
          }
        }
      }
      try await log.flush()
      let entries = try journal.last(1_000).map(\.value)
      for task in 0..<8 {
        #expect(entries.filter { $0.label == "\(task)" }.map(\.message) == (0..<50).map { "\($0)" })
      }
    }
  }

  @Test
  func `Messages that the queue has no room for are dropped, counted and reported`() async throws {
    try await with { _, journal in
      let log = JournalLog(journal, capacity: 3)
      let logger = Logger(label: "app") { log.handler(label: $0) }
      // Each call is far shorter than a write, so the queue of three is full at once.
      for number in 0..<2_000 { logger.info("\(number)") }
      try await log.flush()
      let entries = try journal.last(5_000).map(\.value)
      let messages = entries.filter { $0.droppedCount == 0 }
      #expect(log.droppedCount > 0)
      #expect(messages.count + log.droppedCount == 2_000)
      #expect(entries.reduce(0) { $0 + $1.droppedCount } == log.droppedCount)
      logger.info("last")
      try await log.flush()
      #expect(try journal.last(1).first?.value.message == "last")
    }
  }

  @Test func `A message is cut to 64 KiB`() async throws {
    try await with { _, journal in
      let log = JournalLog(journal)
      let logger = Logger(label: "app") { log.handler(label: $0) }
      for count in [(1 << 16) - 1, 1 << 16, (1 << 16) + 1] {
        logger.info("\(String(repeating: "x", count: count))")
      }
      try await log.flush()
      let lengths = try journal.last(3).map(\.value.message.count)
      #expect(lengths == [(1 << 16) - 1, 1 << 16, 1 << 16])
    }
  }

  @Test func `The next flush reports a failure, and its messages count as dropped`()
    async throws
  {
    try await with { _, journal in
      let log = JournalLog(journal)
      let logger = Logger(label: "app") { log.handler(label: $0) }
      try journal.close()
      logger.info("one")
      let error = await #expect(throws: JournalError.self) { try await log.flush() }
      #expect(error?.code == .closed && log.droppedCount == 1)
    }
  }

  @Test func `The article's log has its messages in the journal`() async throws {
    try await with { folder, journal in
      try journal.close()
      let keys = JournalKeys.key(try SealKey.generate())
      let log = try startLogging(in: folder, for: keys)
      logVisit(of: "home", to: log)
      try await log.flush()
      let records = try JournalDirectory(folder + "/log", with: keys)
        .last(1, as: JournalForm<LogRecord>.codable())
      #expect(records.first?.value.metadata == ["page": "home"])
    }
  }

  @Test
  func `A normal exit waits for the messages of a log that is flushed at exit`() async throws {
    let (path, keys) = try journalOfChild(getpid())
    defer { try? FileManager.default.removeItem(atPath: path) }
    await #expect(processExitsWith: .success) {
      let (path, keys) = try journalOfChild(getppid())
      let log = JournalLog(try Journal<LogRecord>.open(at: path, for: keys))
      log.flushAtExit()
      let logger = Logger(label: "app") { log.handler(label: $0) }
      for number in 0..<500 { logger.info("\(number)") }
    }
    let records = try JournalDirectory(path, with: keys)
      .last(1_000, as: JournalForm<LogRecord>.codable())
    #expect(records.map(\.value.message) == (0..<500).map { "\($0)" })
  }
}

/// The path and the keys of the journal of a process that exits; its parent knows them too.
private func journalOfChild(_ parent: Int32) throws -> (path: String, keys: JournalKeys) {
  let key = try SealKey(copying: [UInt8](repeating: 7, count: 32).span)
  return (NSTemporaryDirectory() + "keepsake-exit-\(parent)", .key(key))
}
