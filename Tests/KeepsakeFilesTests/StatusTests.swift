import Foundation
import TestSupport
import Testing

@testable import KeepsakeFiles

@Suite struct `The status of a file` {
  @Test func `A status tells the size, permissions, owner, names and times of a file`() throws {
    try withTemporaryDirectory { path in
      try write(pattern(7), to: path + "/f")
      #expect(run("chmod", "640", path + "/f") && run("ln", path + "/f", path + "/g"))
      #expect(run("touch", "-d", "2020-01-02T03:04:05.678Z", path + "/f"))
      let isRoot = geteuid() == 0
      if isRoot { #expect(run("chown", "123:456", path + "/f")) }
      let status = try #require(try FileStatus.withoutFollowingLinks(path + "/f"))
      #expect(status.kind == .regular && status.size == 7 && status.permissions == 0o640)
      #expect(status.links == 2)
      #expect(status.owner == (isRoot ? 123 : geteuid()))
      #expect(status.group == (isRoot ? 456 : getegid()))
      #expect(status.isOwnedByEffectiveUser == !isRoot)
      #expect(status.modified.seconds == 1_577_934_245)
      #expect(status.modified.nanoseconds == 678_000_000)
      #expect(status.changed.seconds > status.modified.seconds)
      let other = try #require(try FileStatus.withoutFollowingLinks(path + "/g"))
      #expect(other.isSameFile(as: status) && other.identity == status.identity)
    }
  }

  @Test func `A status tells the kind of an entry, and links are followed on request`() throws {
    try withTemporaryDirectory { path throws in
      let listen = "IO::Socket::UNIX->new(Local => 'socket', Listen => 1) or exit 1"
      #expect(run("sh", "-c", "cd \(path) && perl -MIO::Socket::UNIX -e \"\(listen)\""))
      #expect(run("mkfifo", path + "/pipe") && run("touch", path + "/file"))
      #expect(run("ln", "-s", "file", path + "/link") && run("ln", "-s", "no", path + "/loose"))
      for (name, kind, followed): (String, FileStatus.Kind?, FileStatus.Kind?) in [
        (path, .directory, .directory), (path + "/file", .regular, .regular),
        (path + "/link", .symbolicLink, .regular), (path + "/loose", .symbolicLink, nil),
        (path + "/pipe", .pipe, .pipe), (path + "/socket", .socket, .socket),
        ("/dev/null", .device, .device), (path + "/absent", nil, nil),
      ] {
        #expect(try FileStatus.withoutFollowingLinks(name)?.kind == kind, "\(name)")
        #expect(try FileStatus.followingLinks(name)?.kind == followed, "\(name)")
      }
      let refused = failure { try FileStatus.followingLinks(path + "/file/inner") }
      #expect(refused?.call == "fstatat" && refused?.number == ENOTDIR)
    }
  }

  @Test func `A file is unchanged while its identity, size and time stay`() throws {
    try withTemporaryDirectory { path in
      try write([1, 2], to: path + "/f")
      #expect(run("touch", "-d", "2020-01-02T03:04:05Z", path + "/f"))
      let before = try #require(try FileStatus.withoutFollowingLinks(path + "/f"))
      let version = try DurableFile.version(of: path + "/f")
      func isUnchanged() throws -> Bool {
        let status = try #require(try FileStatus.withoutFollowingLinks(path + "/f"))
        #expect(
          try (DurableFile.version(of: path + "/f") == version) == status.isUnchanged(since: before)
        )
        return status.isUnchanged(since: before)
      }
      #expect(run("chmod", "600", path + "/f"))
      #expect(try isUnchanged())
      #expect(run("touch", "-d", "2020-01-02T03:04:05.5Z", path + "/f"))
      #expect(try !isUnchanged())
      #expect(run("touch", "-d", "2020-01-02T03:04:05Z", path + "/f"))
      #expect(try isUnchanged())
      try write([1, 2, 3], to: path + "/g")
      #expect(run("cp", path + "/g", path + "/f"))
      #expect(run("touch", "-d", "2020-01-02T03:04:05Z", path + "/f"))
      #expect(try !isUnchanged(), "another size")
      try write([1, 2], to: path + "/g")
      #expect(run("touch", "-d", "2020-01-02T03:04:05Z", path + "/g"))
      #expect(run("mv", path + "/g", path + "/f"))
      #expect(try !isUnchanged(), "another file")
      #expect(try DurableFile.version(of: path + "/absent") == nil)
    }
  }

  @Test func `The time of the last change is in seconds since 1970`() throws {
    try withTemporaryDirectory { path in
      try write([], to: path + "/f")
      #expect(run("touch", "-d", "@1234567890.25", path + "/f"))
      #expect(try DurableFile.modificationTime(of: path + "/f") == 1_234_567_890.25)
      #expect(try DurableFile.modificationTime(of: path + "/absent") == nil)
      #expect(code { try DurableFile.modificationTime(of: "") } == .invalidPath)
    }
  }
}

@Suite struct `The path of a file` {
  @Test func `A path is split at its last slash`() throws {
    for (path, directory, name) in [
      ("f", ".", "f"), ("/f", "/", "f"), ("a/b/c.d", "a/b/", "c.d"), ("/a//b", "/a//", "b"),
      ("./...", "./", "..."), ("a/é ", "a/", "é "),
    ] {
      let location = try FileLocation(path)
      #expect(location.path == path && location.directoryPath == directory)
      #expect(location.name == name)
    }
    for path in ["", "/", ".", "..", "a/", "a/.", "a/..", "a\u{0}b", "a\u{FFFD}"] {
      let refused = error { try FileLocation(path) }
      #expect(refused?.code == .invalidPath && refused?.path == path)
    }
  }

  @Test func `A regular file is opened, and another entry is refused by its kind`() throws {
    try withTemporaryDirectory { path in
      try write([7], to: path + "/f")
      let (file, status) = try FileLocation(path + "/f").openRegularFile()
      #expect(try file.readExactly(1, at: 0, path: path) == [7] && status.size == 1)
      #expect(run("ln", "-s", "f", path + "/link") && run("mkfifo", path + "/pipe"))
      for (name, kind) in [
        (path + "/link", "a symbolic link"), (path + "/pipe", "a pipe"), (path, "a directory"),
        ("/dev/null", "a device"),
      ] {
        let refused = error { try FileLocation(name).openRegularFile() }
        #expect(refused == FileError(.notRegularFile, path: name, detail: "it is \(kind)"))
      }
      let absent = error { try FileLocation(path + "/absent").openRegularFile() }
      #expect(absent == FileError(.fileAbsent, path: path + "/absent"))
    }
  }

  @Test func `A command follows the links that its user names, and reads no directory`() throws {
    try withTemporaryDirectory { path in
      try write([7], to: path + "/f")
      #expect(run("ln", "-s", "f", path + "/link"))
      let (file, status) = try FileLocation(path + "/link").openFollowingLinks()
      #expect(try file.readExactly(1, at: 0, path: path) == [7] && status.kind == .regular)
      #expect(try FileLocation("/dev/null").openFollowingLinks().1.kind == .device)
      #expect(code { try FileLocation(path).openFollowingLinks() } == .notRegularFile)
      #expect(code { try FileLocation(path + "/absent").openFollowingLinks() } == .fileAbsent)
    }
  }

  @Test func `Hexadecimal digits are made from bytes and read in either case`() {
    #expect([0, 9, 10, 0x9F, 0xA0, 255].hexadecimal == "00090a9fa0ff")
    #expect([UInt8]().hexadecimal == "")
    #expect([UInt8](hexadecimal: "00090a9FA0ff".utf8) == [0, 9, 10, 0x9F, 0xA0, 255])
    #expect([UInt8](hexadecimal: "".utf8) == [])
    for text in ["0", "000", "0g", "0G", "0/", "0:", "0@", "0`", " 0", "é"] {
      #expect([UInt8](hexadecimal: text.utf8) == nil, "\(text)")
    }
  }
}
