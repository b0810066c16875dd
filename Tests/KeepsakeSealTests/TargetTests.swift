import Foundation
import TestSupport
import Testing

@testable import KeepsakeFiles
@testable import KeepsakeSeal

@Suite struct `The target of a seal` {
  @Test func `A link, directory, pipe, socket or device is refused and unchanged`() throws {
    try withTemporaryDirectory { directory in
      let key = try SealKey.generate()
      try write([9], to: directory + "/file")
      let files = FileManager.default
      for (link, target) in [("valid", "file"), ("dangling", "no"), ("loop", "loop")] {
        try files.createSymbolicLink(
          atPath: directory + "/" + link, withDestinationPath: target)
      }
      try files.createDirectory(
        atPath: directory + "/directory", withIntermediateDirectories: false)
      var refused = ["valid", "dangling", "loop", "directory"]
      if run("mkfifo", directory + "/pipe") { refused.append("pipe") }
      // Only the superuser can make a device.
      if run("mknod", directory + "/device", "c", "1", "3") { refused.append("device") }
      let listen = "IO::Socket::UNIX->new(Local => 'socket', Listen => 1) or exit 1"
      if run("sh", "-c", "cd \(directory) && perl -MIO::Socket::UNIX -e \"\(listen)\"") {
        refused.append("socket")
      }
      let before = try names(in: directory)
      for name in refused {
        let path = directory + "/" + name
        let kind = try DurableFile.kind(of: path)
        let failure = error { try SealedFile.seal([1].span, to: path, for: [.key(key)]) }
        #expect(failure?.code == .notRegularFile, "\(name)")
        #expect(failure?.path == path)
        #expect(code { try SealedFile.open(path, with: [.key(key)]) } == .notRegularFile, "\(name)")
        #expect(try DurableFile.kind(of: path) == kind)
      }
      #expect(try names(in: directory) == before)
      #expect(try contents(of: directory + "/file") == [9])
    }
  }

  @Test func `A path without a name, or with a zero byte, is refused`() throws {
    let key = try SealKey.generate()
    for path in ["", "/", ".", "..", "a/", "a/.", "a/..", "a\u{0}b"] {
      #expect(
        code { try SealedFile.seal([1].span, to: path, for: [.key(key)]) } == .invalidPath,
        "\(path)")
      #expect(code { try SealedFile.open(path, with: [.key(key)]) } == .invalidPath, "\(path)")
    }
  }

  @Test func `A seal tells an absent directory from an absent file, and opening does not`() throws {
    try withTemporaryDirectory { directory in
      let key = try SealKey.generate()
      let nowhere = directory + "/none/file"
      #expect(code { try SealedFile.open(directory + "/none", with: [.key(key)]) } == .fileAbsent)
      #expect(code { try SealedFile.open(nowhere, with: [.key(key)]) } == .fileAbsent)
      let failure = error { try SealedFile.seal([1].span, to: nowhere, for: [.key(key)]) }
      #expect(failure?.code == .directoryAbsent)
      #expect(failure?.path == nowhere)
      try write([1], to: directory + "/file")
      #expect(
        code { try SealedFile.open(directory + "/file/x", with: [.key(key)]) } == .notDirectory)
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

  @Test
  func `A directory that cannot be written keeps the old file and gets no other file`() throws {
    try withTemporaryDirectory { directory in
      let key = try SealKey.generate()
      let path = directory + "/state"
      try SealedFile.seal(pattern(10).span, to: path, for: [.key(key)])
      try setPermissions(0o500, of: directory)
      defer { try? setPermissions(0o700, of: directory) }
      // The superuser may write everywhere except in /proc.
      let refused = geteuid() == 0 ? "/proc/keepsake" : path
      let failure = error { try SealedFile.seal(pattern(20).span, to: refused, for: [.key(key)]) }
      #expect(failure != nil)
      #expect(failure?.description.contains(refused) == true)
      #expect(try SealedFile.open(path, with: [.key(key)]).read() == pattern(10))
      #expect(try names(in: directory) == ["state"])
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

  @Test func `A second name of the old file keeps the old content`() throws {
    try withTemporaryDirectory { directory in
      let key = try SealKey.generate()
      let (path, link) = (directory + "/state", directory + "/link")
      try SealedFile.seal([1].span, to: path, for: [.key(key)])
      try FileManager.default.linkItem(atPath: path, toPath: link)
      try SealedFile.seal([2].span, to: path, for: [.key(key)])
      #expect(try SealedFile.open(path, with: [.key(key)]).read() == [2])
      #expect(try SealedFile.open(link, with: [.key(key)]).read() == [1])
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
