import Foundation
import KeepsakeSeal
import TestSupport
import Testing

@testable import KeepsakeJournal

/// A process that appends to a journal (Subject/JournalSubject.swift).
private struct AppendingProcess {
  private let process = Process()
  private let output = Pipe()

  init(
    _ path: String, threads: Int, length: Int, after prefix: String = ""
  ) throws {
    let folder = try #require(Bundle.main.executableURL).deletingLastPathComponent()
    let program = try #require(
      [folder, folder.deletingLastPathComponent()].map { $0.path + "/journal-subject" }
        .first(where: FileManager.default.isExecutableFile))
    let command =
      withDefaultSignals
      + ["/bin/sh", "-c", prefix + "exec \"$@\"", "sh", program, path, "\(threads)", "\(length)"]
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardOutput = output
    try process.run()
    // A process that does not end must not block the tests for ever.
    let process = process
    DispatchQueue.global().asyncAfter(deadline: .now() + 600) {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
  }

  /// The lines that the process prints until it ends; it is killed after `count` of them.
  func lines(killingAfter count: Int = .max) -> [String] {
    var bytes: [UInt8] = []
    var seen = 0
    while true {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      bytes += more
      seen += more.count { $0 == UInt8(ascii: "\n") }
      if seen >= count { kill(process.processIdentifier, SIGKILL) }
    }
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { String($0) }
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A process that is killed while it appends` {
  @Test(arguments: [(1, 30, 40), (4, 100, 200), (1, 100_000, 5), (3, 70_000, 12)])
  func `Each acknowledged entry survives a kill`(
    threads: Int, length: Int, count: Int
  ) throws {
    try JournalFixture.with { fixture in
      var acknowledged: [UInt64: UInt8] = [:]
      for round in 0..<5 {
        let process = try AppendingProcess(fixture.path, threads: threads, length: length)
        for line in process.lines(killingAfter: count + round) {
          let parts = line.split(separator: " ").compactMap { UInt64($0) }
          try #require(parts.count == 2)
          acknowledged[parts[0]] = UInt8(clamping: parts[1])
        }
        let found = fixture.read()
        #expect(found.error == nil)
        #expect(found.numbers == (0..<UInt64(found.numbers.count)).map { $0 })
        #expect(found.entries.allSatisfy { $0.count == length })
        for (number, thread) in acknowledged {
          let index = try #require(Int(exactly: number))
          try #require(index < found.entries.count)
          #expect(found.entries[index].first == thread)
        }
        #expect(try fixture.directory.verify() != nil)
      }
      #expect(acknowledged.count >= 5 * count)
    }
  }

  // Holds [J-106].
  @Test func `An append to a full disk fails with an error and leaves no entry`() throws {
    try JournalFixture.with { fixture in
      // The limit of the size of files acts as a full disk: the last write is short, then one fails.
      let process = try AppendingProcess(
        fixture.path, threads: 1, length: 3_000, after: "trap '' XFSZ; ulimit -f 64; ")
      let lines = process.lines()
      #expect(lines.count > 5 && lines.last == "failed systemCallFailed")
      let found = fixture.read()
      #expect(found.entries.count == lines.count - 1 && found.error == nil)
      try fixture.append([[1]])
      #expect(fixture.read().entries.count == lines.count)
      #expect(try fixture.directory.verify() != nil)
    }
  }
}
