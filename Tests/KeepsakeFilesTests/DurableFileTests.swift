import Foundation
import TestSupport
import Testing

@testable import KeepsakeFiles

@Suite struct `A durable file` {
  // When a path becomes a String, U+FFFD replaces its bytes that are not UTF-8.
  @Test func `Every call refuses a path that is not UTF-8, and writes nothing`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/r" + String(decoding: [0xE9], as: UTF8.self) + ".txt"
      let good = directory + "/good"
      try write([1], to: good)
      // This file has the name with U+FFFD, but is not the one that was meant.
      try write([2], to: path)
      let calls: [(String, () throws -> Void)] = [
        ("replace", { try DurableFile.replace(at: path, with: [3].span) }),
        ("create", { try DurableFile.createExclusively(at: path + "2", with: [3].span) }),
        ("read", { _ = try DurableFile.read(at: path, upTo: 9) }),
        ("move", { try DurableFile.move(from: good, to: path + "2") }),
        ("move from", { try DurableFile.move(from: path, to: directory + "/new") }),
        ("preserve", { try DurableFile.preserve(good, as: path + "2") }),
        ("remove", { try DurableFile.remove(at: path) }),
        ("erase", { try DurableFile.erase(at: path) }),
        ("entry", { try DurableFile.removeEntry(at: path) }),
        ("directory", { try DurableFile.createDirectory(at: path + "/folder") }),
        ("names", { _ = try DurableFile.names(in: path) }),
        ("kind", { _ = try DurableFile.kind(of: path) }),
        ("lock", { _ = try FileLock(at: path) }),
        ("own", { try DurableFile.requireOwnDirectory(at: path) }),
        ("in a directory", { try DurableFile.replace(at: path + "/file", with: [3].span) }),
      ]
      for (name, call) in calls {
        let failure = error(call)
        #expect(failure?.code == .invalidPath, "\(name)")
        #expect(failure?.description.contains("not UTF-8") == true, "\(name)")
      }
      #expect(try contents(of: good) == [1] && contents(of: path) == [2])
      #expect(try names(in: directory).count == 2)
    }
  }

  // Holds [S-111].
  @Test func `A new or replaced file has the given bytes and mode, whatever the mask`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      let mask = umask(0)
      defer { umask(mask) }
      try DurableFile.replace(at: path, with: [1, 2, 3].span)
      #expect(try contents(of: path) == [1, 2, 3])
      #expect(try permissions(of: path) == 0o600)
      try DurableFile.replace(at: path, with: pattern(0).span, mode: 0o644)
      #expect(try contents(of: path).isEmpty)
      #expect(try permissions(of: path) == 0o644)
      umask(0o077)
      try DurableFile.replace(at: path, with: [4].span, mode: 0o644)
      #expect(try permissions(of: path) == 0o644)
      #expect(try names(in: directory) == ["f"])
    }
  }

  @Test func `Exclusive creation never replaces a file`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      try DurableFile.createExclusively(at: path, with: [1].span)
      #expect(
        code { try DurableFile.createExclusively(at: path, with: [2].span) } == .alreadyExists)
      #expect(try contents(of: path) == [1])
      #expect(try permissions(of: path) == 0o600)
      #expect(try names(in: directory) == ["f"])
    }
  }

  @Test func `Exclusive creation reports that something is at the path, whatever it is`() throws {
    try withTemporaryDirectory { directory in
      let (inner, link) = (directory + "/inner", directory + "/link")
      try DurableFile.createDirectory(at: inner)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")
      for path in [inner, link] {
        let failure = error { try DurableFile.createExclusively(at: path, with: [1].span) }
        #expect(failure == FileError(.alreadyExists, path: path))
      }
      #expect(try names(in: directory) == ["inner", "link"])
    }
  }

  @Test func `Exactly one of many creators of one file succeeds`() async throws {
    let directory = FileManager.default.temporaryDirectory.path + "/keepsake-" + UUID().uuidString
    try DurableFile.createDirectory(at: directory)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let winners = await withTaskGroup(of: UInt8?.self) { group in
      for index in 0..<16 as Range<UInt8> {
        group.addTask {
          code { try DurableFile.createExclusively(at: directory + "/f", with: [index].span) }
            == nil ? index : nil
        }
      }
      return await group.reduce(into: [UInt8]()) { $0 += $1.map { [$0] } ?? [] }
    }
    #expect(winners.count == 1)
    #expect(try contents(of: directory + "/f") == winners)
    #expect(try names(in: directory) == ["f"])
  }

  @Test func `Concurrent replacements leave one whole file and nothing else`() async throws {
    let directory = FileManager.default.temporaryDirectory.path + "/keepsake-" + UUID().uuidString
    try DurableFile.createDirectory(at: directory)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    try await withThrowingTaskGroup { group in
      for index in 0..<16 as Range<UInt8> {
        group.addTask {
          let bytes = [UInt8](repeating: index, count: 50_000)
          try DurableFile.replace(at: directory + "/f", with: bytes.span)
        }
      }
      try await group.waitForAll()
    }
    let bytes = try contents(of: directory + "/f")
    #expect(bytes.count == 50_000)
    #expect(Set(bytes).count == 1)
    #expect(try names(in: directory) == ["f"])
  }

  @Test func `A directory is created with those above it, and an existing one is unchanged`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/a/b/c"
      try DurableFile.createDirectory(at: path + "//")
      for level in ["/a", "/a/b", "/a/b/c"] {
        #expect(try permissions(of: directory + level) == 0o700)
      }
      #expect(run("chmod", "755", path))
      try DurableFile.createDirectory(at: path)
      #expect(try permissions(of: path) == 0o755)
      try write([1], to: directory + "/file")
      #expect(code { try DurableFile.createDirectory(at: directory + "/file") } == .notDirectory)
      #expect(code { try DurableFile.createDirectory(at: directory + "/file/x") } == .notDirectory)
      #expect(code { try DurableFile.createDirectory(at: "") } == .invalidPath)
    }
  }

  @Test func `Preserving keeps the content under a second name and replaces nothing`() throws {
    try withTemporaryDirectory { directory in
      let (path, copy) = (directory + "/f", directory + "/kept")
      try DurableFile.replace(at: path, with: [1].span)
      try DurableFile.preserve(path, as: copy)
      try DurableFile.replace(at: path, with: [2].span)
      #expect(try contents(of: copy) == [1])
      #expect(code { try DurableFile.preserve(path, as: copy) } == .alreadyExists)
      #expect(try contents(of: copy) == [1])
      #expect(code { try DurableFile.preserve(directory + "/no", as: path) } == .fileAbsent)
    }
  }

  @Test func `A move never replaces a file`() throws {
    try withTemporaryDirectory { directory in
      let (path, other) = (directory + "/f", directory + "/g")
      try DurableFile.replace(at: path, with: [1].span)
      try DurableFile.move(from: path, to: other)
      #expect(try names(in: directory) == ["g"])
      try DurableFile.replace(at: path, with: [2].span)
      #expect(code { try DurableFile.move(from: path, to: other) } == .alreadyExists)
      #expect(try contents(of: path) == [2])
      #expect(try contents(of: other) == [1])
    }
  }

  // A move in one step needs no lock; only a move in two steps waits for the holder of the file.
  @Test func `Moving to a name in use is refused at once, even while the file is locked`() throws {
    try withTemporaryDirectory { directory in
      let (path, other) = (directory + "/f", directory + "/g")
      for name in [path, other] { try DurableFile.replace(at: name, with: [1].span) }
      let holder = try Directory(path: directory).openForReading("f")
      try holder.lockWithoutWaiting()
      defer { holder.unlock() }
      #expect(code { try DurableFile.move(from: path, to: other) } == .alreadyExists)
      #expect(try names(in: directory) == ["f", "g"])
    }
  }

  @Test func `The kind of an entry decides whether it can be read and removed`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      #expect(try DurableFile.kind(of: path) == .absent)
      #expect(try DurableFile.kind(of: path + "/x/y") == .absent)
      try DurableFile.replace(at: path, with: pattern(100).span)
      #expect(try DurableFile.kind(of: path) == .regular(size: 100))
      #expect(try DurableFile.kind(of: directory) == .directory)
      #expect(try DurableFile.kind(of: "/") == .directory)
      #expect(try DurableFile.kind(of: "/dev/null") == .other)
      try FileManager.default.createSymbolicLink(
        atPath: directory + "/l", withDestinationPath: "nowhere")
      #expect(try DurableFile.kind(of: directory + "/l") == .symbolicLink)
      #expect(try DurableFile.read(at: path, upTo: 100) == pattern(100))
      #expect(code { try DurableFile.read(at: path, upTo: 99) } == .limitExceeded)
      #expect(code { try DurableFile.read(at: "/dev/zero", upTo: 9) } == .notRegularFile)
      #expect(code { try DurableFile.remove(at: directory + "/l") } == .notRegularFile)
      try DurableFile.remove(at: path)
      #expect(try DurableFile.kind(of: path) == .absent)
      #expect(code { try DurableFile.remove(at: path) } == .fileAbsent)
    }
  }

  @Test func `A file that states a wrong size is read to its end`() throws {
    // The kernel states a size of zero for the first, and one of a page for the second.
    for path in ["/proc/version", "/sys/devices/system/cpu/online"]
    where FileManager.default.isReadableFile(atPath: path) {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      let bytes = Array(try file.readToEnd() ?? Data())
      #expect(try DurableFile.read(at: path, upTo: 1 << 30) == bytes, "\(path)")
    }
    let bytes = try DurableFile.read(at: "/proc/version", upTo: 1 << 16)
    #expect(try DurableFile.read(at: "/proc/version", upTo: bytes.count) == bytes)
    let refused = error { try DurableFile.read(at: "/proc/version", upTo: bytes.count - 1) }
    #expect(refused?.code == .limitExceeded && refused?.path == "/proc/version")
    #expect(refused?.detail == "more than \(bytes.count - 1) bytes, the limit")
  }

  @Test func `A file longer than the limit is refused with both numbers`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      try write(pattern(100), to: path)
      let refused = error { try DurableFile.read(at: path, upTo: 99) }
      #expect(refused == FileError(.limitExceeded, path: path, detail: "100 bytes, limit 99"))
      #expect(try DurableFile.read(at: path, upTo: 100) == pattern(100))
      try write([], to: path)
      #expect(try DurableFile.read(at: path, upTo: 0) == [])
    }
  }

  @Test func `A changed file keeps its permissions, owner and group`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      try write([1], to: path)
      let isRoot = geteuid() == 0
      if isRoot { #expect(run("chown", "123:456", path)) }
      #expect(run("chmod", "4640", path))
      let before = try #require(try FileStatus.withoutFollowingLinks(path))
      try DurableFile.change(at: path, to: [2, 3])
      let after = try #require(try FileStatus.withoutFollowingLinks(path))
      #expect(try contents(of: path) == [2, 3] && names(in: directory) == ["f"])
      #expect(after.owner == before.owner && after.group == before.group)
      #expect(after.permissions == 0o640, "a program that runs as its owner would be another one")
      #expect(!after.isSameFile(as: before))
      #expect(code { try DurableFile.change(at: path + "2", to: []) } == .fileAbsent)
      #expect(code { try DurableFile.change(at: directory, to: []) } == .notRegularFile)
    }
  }

  @Test func `A file is written piece by piece, and appears when it is complete`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      try write([9], to: path)
      var writer = try DurableFileWriter(at: path, mode: 0o640)
      for piece in [[1, 2], [], [3], pattern(10_000)] { try writer.write(piece.span) }
      #expect(try contents(of: path) == [9])
      try writer.finish()
      #expect(try contents(of: path) == [1, 2, 3] + pattern(10_000))
      #expect(try permissions(of: path) == 0o640 && names(in: directory) == ["f"])
      do {
        var dropped = try DurableFileWriter(at: path)
        try dropped.write([4].span)
      }
      #expect(try contents(of: path).count == 10_003 && names(in: directory) == ["f"])
    }
  }

  @Test func `A file in an absent directory is absent, and nothing is written there`() throws {
    try withTemporaryDirectory { directory in
      let (path, nowhere) = (directory + "/f", directory + "/none/f")
      try write([1], to: path)
      for absent in [directory + "/g", nowhere] {
        for failure in [
          error { try DurableFile.move(from: absent, to: path) },
          error { try DurableFile.preserve(absent, as: path) },
          error { try DurableFile.remove(at: absent) },
          error { try DurableFile.erase(at: absent) },
          error { try DurableFile.read(at: absent, upTo: 9) },
        ] {
          #expect(failure?.code == .fileAbsent && failure?.path == absent)
        }
      }
      for failure in [
        error { try DurableFile.move(from: path, to: nowhere) },
        error { try DurableFile.preserve(path, as: nowhere) },
        error { try DurableFile.replace(at: nowhere, with: [1].span) },
        error { try DurableFile.createExclusively(at: nowhere, with: [1].span) },
      ] {
        #expect(failure?.code == .directoryAbsent && failure?.path == nowhere)
      }
      #expect(try contents(of: path) == [1] && names(in: directory) == ["f"])
    }
  }

  @Test func `A new directory has the given mode, whatever the mask`() throws {
    try withTemporaryDirectory { directory in
      let mask = umask(0o077)
      defer { umask(mask) }
      try DurableFile.createDirectory(at: directory + "/a/b", mode: 0o4755)
      for path in [directory + "/a", directory + "/a/b"] {
        #expect(try permissions(of: path) == 0o755)
      }
      #expect(run("ln", "-s", "a", directory + "/link"))
      try DurableFile.createDirectory(at: directory + "/link/c")
      #expect(try names(in: directory + "/a") == ["b", "c"])
      let refused = error { try DurableFile.createDirectory(at: "/proc/keepsake/inner") }
      #expect(refused?.code == .systemCallFailed && refused?.path == "/proc/keepsake")
      #expect(refused?.detail == "the directory cannot be created there")
    }
  }

  // A write comes between the stated size and the end of the reading in some round.
  @Test func `A file that grows while it is read is refused`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      try write(pattern(1 << 20), to: path)
      let isDone = Monitor(false)
      let file = try FileDescriptor(openingForUpdating: path)
      try WorkerThreads.begin {
        var size: UInt64 = 1 << 20
        while !isDone.withLock({ $0 }), size < 2 << 20, (try? file.write([1].span, at: size)) != nil
        {
          size += 1
        }
      }
      defer { isDone.withLock { $0 = true } }
      var refused: FileError?
      for _ in 0..<10_000 where refused == nil {
        refused = error { try DurableFile.read(at: path, upTo: 1 << 30) }
      }
      #expect(refused?.code == .changedMeanwhile && refused?.path == path)
    }
  }

  #if os(Linux)
    @Test func `A file of the largest size is refused, whatever the limit`() throws {
      // Few file systems have such files; this one is in memory and takes none.
      let path = "/dev/shm/keepsake-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: path) }
      guard run("truncate", "-s", "\(Int.max)", path) else { return }
      #expect(try DurableFile.kind(of: path) == .regular(size: .max))
      for limit in [9, Int.max - 1, .max] {
        #expect(code { try DurableFile.read(at: path, upTo: limit) } == .limitExceeded)
      }
    }
  #endif
}
