import Foundation
import TestSupport
import Testing

@testable import KeepsakeFiles

@Suite struct `A file that is replaced` {
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

  @Test func `A writer waits for another one, but not for ever`() throws {
    try withFile { (path, directory) throws in
      let replacing = try Replacing(path, with: [2])
      let locked = try replacing.locked()
      for expected in [nil, replacing.expected] {
        let other = try Replacing(path, with: [3])
        let failure = error {
          try other.pending.replaceTarget(expecting: expected, patience: .milliseconds(5))
        }
        #expect(failure == FileError(.fileLocked, path: path))
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
        // Sets its time to an hour ago: file systems count time in ticks.
        #expect(run("touch", "-d", "1 hour ago", path))
        let replacing = try Replacing(path, with: [2])
        try change(path)
        let before = try? contents(of: path)
        let failure = error { try replacing.pending.replaceTarget(expecting: replacing.expected) }
        #expect(failure == FileError(.changedMeanwhile, path: path), "\(name)")
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
      #expect(failure == FileError(.changedMeanwhile, path: path))
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
        #expect(failure == FileError(.changedMeanwhile, path: path))
      }
      #expect(try names(in: directory) == [])
    }
  }

  // Programs without a lock replace the file as fast as they can: the last one keeps the name.
  @Test func `The last of many saves by a program without a lock stays`() async throws {
    let directory =
      FileManager.default.temporaryDirectory.path + "/keepsake-race-" + UUID().uuidString
    try DurableFile.createDirectory(at: directory)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let path = directory + "/f"
    for round in 0..<40 as Range<UInt8> {
      try DurableFile.replace(at: path, with: [round, 0].span)
      let isDone = Monitor(false)
      await withTaskGroup { group in
        group.addTask {
          for count in 1...100 as ClosedRange<UInt8> {
            do {
              try replaceWithoutLock(path, with: [round, count])
            } catch {
              Issue.record(error)
            }
          }
          isDone.withLock { $0 = true }
        }
        group.addTask {
          while !isDone.withLock({ $0 }) {
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
      // Either the last save, or the file that was derived from it.
      #expect(try contents(of: path).prefix(2) == [round, 100])
      #expect(try names(in: directory) == ["f"])
    }
  }

  @Test func `A name that is too long fails and leaves nothing behind`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/" + String(repeating: "n", count: 256)
      let failure = error { try DurableFile.replace(at: path, with: [1].span) }
      #expect(failure?.code == .systemCallFailed)
      #expect(failure?.systemError == ENAMETOOLONG)
      #expect(try names(in: directory).isEmpty)
      let longest = directory + "/" + String(repeating: "n", count: 255)
      try DurableFile.replace(at: longest, with: [1].span)
      #expect(try contents(of: longest) == [1])
    }
  }

  // Scenario 64.
  @Test func `A failed write keeps the old file and leaves no other file`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/state"
      try DurableFile.replace(at: path, with: [1].span)
      func fail() throws {
        let pending = try PendingFile(at: path)
        try pending.write([2].span, at: 0)
        #expect(try names(in: directory).count == 2)
        // The kernel refuses an offset beyond the largest file size.
        try pending.write(pattern(10).span, at: UInt64(Int64.max) - 5)
      }
      let failure = error { try fail() }
      #expect(failure?.systemCall == "pwrite")
      #expect(failure?.path == path)
      #expect(try contents(of: path) == [1])
      #expect(try names(in: directory) == ["state"])
    }
  }

  @Test func `A file that appears while another is being created is not replaced`() throws {
    try withTemporaryDirectory { directory throws in
      let path = directory + "/state"
      func create() throws {
        let pending = try PendingFile(at: path)
        try pending.write([2].span, at: 0)
        try DurableFile.replace(at: path, with: [1].span)
        try pending.createTarget()
      }
      #expect(code { try create() } == .alreadyExists)
      #expect(try contents(of: path) == [1])
      #expect(try names(in: directory) == ["state"])
    }
  }

  @Test func `A failed renaming leaves the target and no other file`() throws {
    try withTemporaryDirectory { directory throws in
      let path = directory + "/state"
      func fail() throws {
        let pending = try PendingFile(at: path)
        try pending.write([2].span, at: 0)
        // A directory appears at the path meanwhile.
        try DurableFile.createDirectory(at: path)
        try pending.replaceTarget()
      }
      #expect(code { try fail() } == .notRegularFile)
      #expect(try DurableFile.kind(of: path) == .directory)
      #expect(try names(in: directory) == ["state"])
    }
  }

  @Test func `A directory that is replaced in the middle of a write is not followed`() throws {
    try withTemporaryDirectory { directory in
      let (home, moved, trap) = (directory + "/home", directory + "/moved", directory + "/trap")
      let files = FileManager.default
      for path in [home, trap] {
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
        try write([1], to: path + "/state")
      }
      let pending = try PendingFile(at: home + "/state")
      try pending.write([2].span, at: 0)
      try files.moveItem(atPath: home, toPath: moved)
      try files.createSymbolicLink(atPath: home, withDestinationPath: trap)
      try pending.replaceTarget()
      #expect(try contents(of: moved + "/state") == [2])
      #expect(try contents(of: trap + "/state") == [1])
      #expect(try names(in: moved) == ["state"])
      #expect(try names(in: trap) == ["state"])
    }
  }
}
