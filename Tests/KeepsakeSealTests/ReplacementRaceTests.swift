import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import KeepsakeFiles
@testable import KeepsakeSeal

/// Two writers replace one file at once: an acknowledged save is never lost.
@Suite struct `A file that two writers replace at once` {
  /// A file that a writer has read, and the new file that will replace it.
  private struct Replacing {
    let path: String
    let opened: FileDescriptor
    let expected: FileStatus
    let pending: PendingFile

    init(_ path: String, with bytes: [UInt8]) throws {
      self.path = path
      (opened, expected) = try FileLocation(path).openRegularFile()
      pending = try PendingFile(at: path)
      try pending.write(bytes.span, at: 0)
    }

    func locked() throws -> LockedTarget {
      try #require(try LockedTarget(pending.location, in: pending.directory))
    }
  }

  /// The state that both writers share.
  private final class Progress: Sendable {
    let isDone = Atomic(false)
    let lostCount = Atomic(0)
    let changeCount = Atomic(0)
  }

  private func withFile(_ body: (String, String) throws -> Void) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      try DurableFile.replace(at: path, with: [1].span)
      try body(path, directory)
    }
  }

  /// Replaces a file without a lock, as a foreign program does.
  private func replaceWithoutLock(_ path: String, with bytes: [UInt8]) throws {
    try write(bytes, to: path + "-foreign")
    try bareRename(path)
  }

  private func bareRename(_ path: String) throws {
    let location = try FileLocation(path)
    try location.openDirectory().replace(location.name, with: location.name + "-foreign")
  }

  // The test reproduces a defect: `rewrap` compared the file, synchronised, and then renamed over a newer save.
  @Test(arguments: [false, true])
  func `Every acknowledged save survives a change of slots at the same time`(
    resealing: Bool
  ) async throws {
    let directory =
      FileManager.default.temporaryDirectory.path + "/keepsake-race-" + UUID().uuidString
    try DurableFile.createDirectory(at: directory)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/state"
    let (key, other) = (try SealKey.generate(), try SealKey.generate())
    try SealedFile.seal([0].span, to: path, for: [.key(key)])
    let progress = Progress()
    await withTaskGroup { group in
      group.addTask {
        while !progress.isDone.load(ordering: .relaxed) {
          do throws(SealError) {
            if resealing {
              try SealedFile.reseal(path, with: [.key(key)], for: [.key(key)])
            } else {
              try SealedFile.rewrap(
                path, with: [.key(key)], adding: [.key(key), .key(other)],
                removing: [.recipient(.key(key))], keepsUnnamedSlots: true)
            }
            progress.changeCount.add(1, ordering: .relaxed)
          } catch {
            // The slot exists already, or the save was faster.
            #expect([.changedMeanwhile, .invalidKeys].contains(error.code), "\(error)")
          }
        }
      }
      group.addTask {
        for generation in 1...300 as ClosedRange<UInt64> {
          do {
            try SealedFile.seal(
              [1].span, to: path, for: [.key(key)], options: SealOptions(generation: generation))
            let found = try SealedFile.open(path, with: [.key(key)])
            if found.generation != generation { progress.lostCount.add(1, ordering: .relaxed) }
          } catch {
            Issue.record(error)
          }
        }
        progress.isDone.store(true, ordering: .relaxed)
      }
    }
    #expect(progress.lostCount.load(ordering: .relaxed) == 0, "acknowledged saves were lost")
    #expect(progress.changeCount.load(ordering: .relaxed) > 0, "no change of slots succeeded")
    #expect(try names(in: directory) == ["state"])
  }

  @Test func `A writer waits for another one, but not for ever`() throws {
    try withFile { (path, directory) throws in
      let replacing = try Replacing(path, with: [2])
      let locked = try replacing.locked()
      for expected in [nil, replacing.expected] {
        let other = try Replacing(path, with: [3])
        let failure = error {
          try other.pending.replaceTarget(expecting: expected, patience: .milliseconds(5))
        }
        #expect(failure == SealError(.fileLocked, path: path))
      }
      #expect(
        code {
          try LockedTarget(FileLocation(path), in: replacing.pending.directory, patience: .zero)
        } == .fileLocked)
      try replacing.pending.replace(locked, expecting: replacing.expected)
      #expect(try contents(of: path) == [2])
    }
  }

  @Test
  func `A file that was replaced, removed or changed in place is not replaced`()
    throws
  {
    let changes: [(String, (String) throws -> Void)] = [
      ("another file of ours", { try DurableFile.replace(at: $0, with: [7].span) }),
      ("another file", { try self.replaceWithoutLock($0, with: [7]) }),
      ("no file", { try DurableFile.remove(at: $0) }),
      ("longer", { try Data([1, 2]).write(to: URL(fileURLWithPath: $0)) }),
      (
        "same length",
        { path in
          let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
          try handle.write(contentsOf: Data([9]))
        }
      ),
    ]
    for (name, change) in changes {
      try withFile { (path, directory) throws in
        // The file gets a time of an hour ago, since file systems count time in ticks.
        #expect(run("touch", "-d", "1 hour ago", path))
        let replacing = try Replacing(path, with: [2])
        try change(path)
        let before = try? contents(of: path)
        let failure = error { try replacing.pending.replaceTarget(expecting: replacing.expected) }
        #expect(failure == SealError(.changedMeanwhile, path: path), "\(name)")
        #expect((try? contents(of: path)) == before, "\(name)")
      }
    }
  }

  // Only an exchange of names can detect a change between the last check and the renaming.
  @Test func `A file that a program without a lock saves in the last instant stays`() throws {
    try withFile { (path, directory) throws in
      let replacing = try Replacing(path, with: [2])
      let locked = try replacing.locked()
      try replaceWithoutLock(path, with: [7])
      let failure = error { try replacing.pending.replace(locked, expecting: replacing.expected) }
      #expect(failure == SealError(.changedMeanwhile, path: path))
      #expect(try contents(of: path) == [7])
      #expect(try names(in: directory) == ["f"])
    }
  }

  @Test func `A file that is removed in the last instant stays absent`() throws {
    try withFile { (path, directory) throws in
      do {
        let replacing = try Replacing(path, with: [2])
        let locked = try replacing.locked()
        try Directory(path: directory).remove("f")
        let failure = error { try replacing.pending.replace(locked, expecting: replacing.expected) }
        #expect(failure == SealError(.changedMeanwhile, path: path))
      }
      #expect(try names(in: directory) == [])
    }
  }

  // A program without a lock replaces the file as fast as it can. Its last file keeps the name.
  @Test func `The last of many saves by a program without a lock stays`() async throws {
    let directory =
      FileManager.default.temporaryDirectory.path + "/keepsake-race-" + UUID().uuidString
    try DurableFile.createDirectory(at: directory)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/f"
    for round in 0..<40 as Range<UInt8> {
      try DurableFile.replace(at: path, with: [round, 0].span)
      let progress = Progress()
      await withTaskGroup { group in
        group.addTask {
          for count in 1...100 as ClosedRange<UInt8> {
            do {
              try replaceWithoutLock(path, with: [round, count])
            } catch {
              Issue.record(error)
            }
          }
          progress.isDone.store(true, ordering: .relaxed)
        }
        group.addTask {
          while !progress.isDone.load(ordering: .relaxed) {
            do {
              let replacing = try Replacing(path, with: [])
              let bytes = try replacing.opened.readExactly(2, at: 0, path: path) ?? []
              try replacing.pending.write((bytes + [99]).span, at: 0)
              try replacing.pending.replaceTarget(expecting: replacing.expected)
            } catch let error as FileError {
              #expect(error.code == .changedMeanwhile, "\(error)")
            } catch {
              Issue.record(error)
            }
          }
        }
      }
      // The file is either the last save, or the one that was derived from it.
      #expect(try contents(of: path).prefix(2) == [round, 100])
      #expect(try names(in: directory) == ["f"])
    }
  }

  @Test func `A new key survives a change of the old key's passphrase at the same time`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/key"
      let (old, new) = (try passphrase("old"), try passphrase("new"))
      for round in 0..<20 {
        _ = try SealKey.create(at: path, passphrase: old, cost: .cheap)
        let changing = Thread {
          try? SealKey.changePassphrase(at: path, from: old, to: new, cost: .cheap)
        }
        changing.start()
        // A reset sets the key aside and makes another one.
        try DurableFile.move(from: path, to: directory + "/aside-\(round)")
        let key = try SealKey.create(at: path, passphrase: old, cost: .cheap)
        while !changing.isFinished { usleep(100) }
        // The thread was too late, or found the new key.
        let read =
          try (try? SealKey.read(at: path, passphrase: old))
          ?? SealKey.read(at: path, passphrase: new)
        #expect(read.isEqual(to: key))
        try DurableFile.remove(at: path)
      }
    }
  }

  // The race above rarely hits the moment between the reading and the renaming; here a lock extends it.
  @Test func `A change of the passphrase leaves a key that replaced the old one`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/key"
      let (old, new) = (try passphrase("old"), try passphrase("new"))
      _ = try SealKey.create(at: path, passphrase: old, cost: .cheap)
      let newest = try SealKey.create(at: directory + "/other", passphrase: old, cost: .cheap)
      let location = try FileLocation(path)
      let opened = try location.openDirectory()
      let failure = Mutex<SealError?>(nil)
      let change = DispatchGroup()
      do {
        // The change waits for this lock once it has read the old file and written the new one.
        let lock = try LockedTarget(location, in: opened)
        DispatchQueue.global().async(group: change) {
          do throws(SealError) {
            try SealKey.changePassphrase(at: path, from: old, to: new, cost: .cheap)
          } catch {
            failure.withLock { $0 = error }
          }
        }
        while try !names(in: directory).contains(where: TemporaryName.matches),
          change.wait(timeout: .now()) == .timedOut
        { sched_yield() }
        try opened.replace("key", with: "other")
        withExtendedLifetime(lock) {}
      }
      change.wait()
      #expect(failure.withLock { $0 } == SealError(.changedMeanwhile, path: path))
      #expect(try SealKey.read(at: path, passphrase: old).isEqual(to: newest))
    }
  }
}

/// The files of a writer that died in the middle of an exchange.
@Suite struct `An exchange of names that was interrupted` {
  /// Makes the three files of an exchange, each of one byte: the replaced one, the placed one, and one that a
  /// foreign program may have saved.
  private func withExchange(
    _ body: (Directory, ExchangeName, String) throws -> Void
  ) throws {
    try withTemporaryDirectory { path in
      for (name, byte) in [("replaced", UInt8(1)), ("placed", 2), ("foreign", 3)] {
        try write([byte], to: path + "/" + name)
      }
      let directory = try Directory(path: path)
      let exchange = ExchangeName(
        placing: try #require(try directory.status(of: "placed")),
        over: try #require(try directory.status(of: "replaced")), at: "f")
      try body(directory, exchange, path)
    }
  }

  private func collect(in path: String, for name: String) throws {
    StaleTemporaries.collect(
      in: try Directory(path: path), for: try FileLocation(path + "/" + name))
  }

  @Test(arguments: [("placed", "replaced"), ("replaced", "placed")])
  func `The file of a completed or undone exchange is collected`(
    temporary: String, named: String
  ) throws {
    try withExchange { directory, exchange, path in
      try directory.replace(exchange.text, with: temporary)
      try directory.replace("f", with: named)
      let before = try contents(of: path + "/f")
      // A writer of any file in the directory collects it.
      try collect(in: path, for: "another")
      #expect(try names(in: path) == ["f", "foreign"])
      #expect(try contents(of: path + "/f") == before)
    }
  }

  @Test func `The next writer of a name gives it back to a foreign newer file`() throws {
    try withExchange { directory, exchange, path in
      try directory.replace("f", with: "placed")
      try directory.replace(exchange.text, with: "foreign")
      try collect(in: path, for: "another")
      #expect(try names(in: path).contains(exchange.text))
      try collect(in: path, for: "f")
      #expect(try contents(of: path + "/f") == [3])
      #expect(try names(in: path) == ["f", "replaced"])
    }
  }

  @Test func `The file of an exchange stays while its writer lives`() throws {
    try withExchange { directory, exchange, path in
      let living = try directory.openForReading("placed")
      try living.lockWithoutWaiting()
      try directory.replace("f", with: "placed")
      try directory.replace(exchange.text, with: "foreign")
      try collect(in: path, for: "f")
      #expect(try contents(of: path + "/f") == [2])
      #expect(try contents(of: path + "/" + exchange.text) == [3])
      withExtendedLifetime(living) {}
    }
  }

  @Test func `The file of an exchange stays when either file has changed since`() throws {
    try withExchange { directory, exchange, path in
      try write([4], to: path + "/f")
      try directory.replace(exchange.text, with: "foreign")
      try collect(in: path, for: "f")
      #expect(try contents(of: path + "/f") == [4])
      #expect(try contents(of: path + "/" + exchange.text) == [3])
      // This is one of the two files, but it was changed in place.
      try directory.replace(exchange.text, with: "replaced")
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path + "/" + exchange.text))
      try handle.truncate(atOffset: 5)
      try collect(in: path, for: "f")
      #expect(try names(in: path).contains(exchange.text))
    }
  }

  @Test func `The name of an exchange identifies its files and its target`() throws {
    try withExchange { directory, exchange, _ in
      let parsed = try #require(ExchangeName(exchange.text))
      #expect(parsed == exchange)
      #expect(exchange.text.wholeMatch(of: /\.[0-9a-f]{48}\.sealswap/) != nil)
      #expect(parsed.isFor("f") && !parsed.isFor("g"))
      let placed = try #require(try directory.status(of: "placed"))
      let foreign = try #require(try directory.status(of: "foreign"))
      #expect(parsed.isPlaced(placed) && parsed.includes(placed))
      #expect(!parsed.isPlaced(foreign) && !parsed.includes(foreign))
      for name in [exchange.text.dropLast(), exchange.text.dropFirst()] {
        #expect(ExchangeName(String(name)) == nil)
      }
      #expect(ExchangeName(exchange.text.uppercased()) == nil)
    }
  }
}
