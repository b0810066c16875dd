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

  @Test func `A path that is not UTF-8 is refused, and nothing is written`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/r" + String(decoding: [0xE9], as: UTF8.self) + ".txt"
      let good = directory + "/good"
      for (name, byte) in [(good, UInt8(1)), (path, 2)] { try write([byte], to: name) }
      let key = try SealKey.generate()
      let calls: [(String, () throws -> Void)] = [
        ("seal", { try SealedFile.seal([3].span, to: path, for: [.key(key)]) }),
        ("seal from", { try SealedFile.seal(contentsOf: path, to: good, for: [.key(key)]) }),
        ("stream", { _ = try SealedFileWriter(to: path, for: [.key(key)]) }),
        ("open", { _ = try SealedFile.open(path, with: [.key(key)]) }),
        ("inspect", { _ = try SealedFile.inspect(path) }),
        ("key", { _ = try SealKey.create(at: path) }),
        ("key from", { _ = try SealKey.read(at: path) }),
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

  @Test func `A sealed file has mode 0600, whatever the mask`() throws {
    try withTemporaryDirectory { directory in
      let mask = umask(0)
      defer { umask(mask) }
      try SealedFile.seal([1].span, to: directory + "/f", for: [.key(try SealKey.generate())])
      #expect(try permissions(of: directory + "/f") == 0o600)
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

  @Test func `A directory that cannot be written keeps the old file and gets no other file`() throws
  {
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
}
