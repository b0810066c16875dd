import Foundation
import TestSupport
import Testing

@testable import KeepsakeFiles

@Suite struct `Removing for good` {
  @Test(arguments: [0, 1, 4_096, 10_000])
  func `An erased file is removed, and its bytes are overwritten`(count: Int) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/secret"
      try write(pattern(count), to: path)
      // A second name shows the bytes after the erasure.
      #expect(run("ln", path, directory + "/witness"))
      #expect(run("chmod", "400", path))
      #expect(try DurableFile.erase(at: path) == 1)
      #expect(try names(in: directory) == ["witness"])
      #expect(try contents(of: directory + "/witness") == [UInt8](repeating: 0, count: count))
      #expect(try DurableFile.erase(at: directory + "/witness") == 0)
    }
  }

  @Test func `Only a regular file can be erased`() throws {
    try withTemporaryDirectory { directory in
      try write([1], to: directory + "/target")
      #expect(run("ln", "-s", directory + "/target", directory + "/link"))
      #expect(code { try DurableFile.erase(at: directory + "/link") } == .notRegularFile)
      #expect(code { try DurableFile.erase(at: directory) } == .notRegularFile)
      #expect(code { try DurableFile.erase(at: directory + "/absent") } == .fileAbsent)
      #expect(try contents(of: directory + "/target") == [1])
    }
  }

  @Test(arguments: ["file", "directory", "link", "pipe"])
  func `An entry of any kind is moved unchanged, and never over another one`(kind: String) throws {
    try withTemporaryDirectory { directory in
      let (from, to) = (directory + "/from", directory + "/to")
      func make() throws {
        switch kind {
        case "file": try write([1], to: from)
        case "directory": #expect(run("mkdir", "-p", from + "/inner"))
        case "link": #expect(run("ln", "-s", "/nowhere", from))
        default: #expect(run("mkfifo", from))
        }
      }
      try make()
      try DurableFile.moveEntry(from: from, to: to)
      let moved = try DurableFile.kind(of: to)
      #expect(try names(in: directory) == ["to"] && moved != .absent)
      #expect(kind != "link" || moved == .symbolicLink)
      #expect(code { try DurableFile.moveEntry(from: from, to: to) } == .fileAbsent)
      try make()
      for other in [kind, "an empty directory"] {
        if other != kind { #expect(run("rm", "-rf", to) && run("mkdir", to)) }
        #expect(code { try DurableFile.moveEntry(from: from, to: to) } == .alreadyExists)
        #expect(try names(in: directory) == ["from", "to"])
      }
      if kind == "directory" {
        #expect(code { try DurableFile.removeEntry(at: from) } == .systemCallFailed)
        #expect(run("rmdir", from + "/inner"))
      }
      for _ in 0..<2 { try DurableFile.removeEntry(at: from) }
      #expect(try names(in: directory) == ["to"])
      try DurableFile.removeEntry(at: directory + "/absent/name")
    }
  }

  @Test func `A move of a directory into itself fails, and the directory stays`() throws {
    try withTemporaryDirectory { directory in
      let (path, inner) = (directory + "/from", directory + "/from/inner")
      #expect(run("mkdir", path))
      let failure = error { try DurableFile.moveEntry(from: path, to: inner) }
      #expect(failure?.code == .systemCallFailed && failure?.path == inner)
      #expect(failure?.systemError == EINVAL)
      let (outer, inside) = (try names(in: directory), try names(in: path))
      #expect(outer == ["from"] && inside == [])
    }
  }

  #if os(Linux)
    // The test has a process of its own, since it changes the user.
    @Test func `A move that cannot remove the old name removes the new one again`() async {
      await #expect(processExitsWith: .success) { try moveOutOfReadOnlyDirectory() }
    }
  #endif

  @Test(arguments: [0o700, 0o755, 0o750, 0o720, 0o702, 0o777, 0o1777])
  func `A directory that others can write is refused`(mode: Int) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/it's own"
      try DurableFile.createDirectory(at: path)
      #expect(run("chmod", String(mode, radix: 8), path))
      let failure = error { try DurableFile.requireOwnDirectory(at: path) }
      guard mode & 0o022 != 0 else { return #expect(failure == nil) }
      #expect(failure?.code == .directoryOpenPermissions && failure?.path == path)
      #expect(failure?.description.contains("chmod go-w '\(directory)/it'\\''s own'") == true)
      #expect(failure?.description.contains("mode 0\(String(mode, radix: 8))") == true)
    }
  }

  @Test func `A directory of another user is refused`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/another's"
      try DurableFile.createDirectory(at: path)
      let isRoot = geteuid() == 0
      if isRoot { #expect(run("chown", "65534", path)) }
      let other = isRoot ? path : "/"
      let failure = error { try DurableFile.requireOwnDirectory(at: other) }
      #expect(failure?.code == .directoryNotOwned && failure?.path == other)
      #expect(failure?.description.contains(isRoot ? "user 65534" : "user 0") == true)
    }
  }

  @Test func `Only an empty directory can be removed`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/inner"
      #expect(run("mkdir", path))
      try write([], to: path + "/file")
      #expect(code { try DurableFile.removeDirectory(at: path) } == .systemCallFailed)
      try DurableFile.remove(at: path + "/file")
      try DurableFile.removeDirectory(at: path)
      #expect(try names(in: directory) == [])
      #expect(code { try DurableFile.removeDirectory(at: path) } == .fileAbsent)
    }
  }
}

#if os(Linux)
  /// Moves a file in two steps; the second one is refused.
  private func moveOutOfReadOnlyDirectory() throws {
    try withTemporaryDirectory { path in
      let (source, target) = (path + "/source", path + "/target")
      for directory in [source, target] { try DurableFile.createDirectory(at: directory) }
      try write([1], to: source + "/f")
      // Every user may give the file a second name, but none may remove the first one.
      #expect(run("chmod", "666", source + "/f"))
      #expect(run("chmod", "777", target))
      #expect(run("chmod", "555", source))
      defer { #expect(run("chmod", "700", source)) }
      let (from, to) = (try Directory(path: source), try Directory(path: target))
      // The superuser may write everywhere.
      let isRoot = geteuid() == 0
      func move() -> SystemFailure? {
        if isRoot { #expect(seteuid(65534) == 0) }
        defer { if isRoot { seteuid(0) } }
        do throws(SystemFailure) {
          try from.moveByLink("f", to: to, as: "g")
          return nil
        } catch {
          return error
        }
      }
      let failure = move()
      #expect(failure?.call == "unlinkat" && failure?.number == EACCES)
      #expect(try names(in: source) == ["f"])
      #expect(try names(in: target) == [])
      #expect(try contents(of: source + "/f") == [1])
    }
  }
#endif
