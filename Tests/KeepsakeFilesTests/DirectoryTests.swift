import Foundation
import TestSupport
import Testing

@testable import KeepsakeFiles

@Suite struct `A directory that is listed` {
  @Test func `The names in a directory are sorted, and an absent one has none`() throws {
    try withTemporaryDirectory { directory in
      for name in ["b", "a", ".c", "..d"] { try write([], to: directory + "/" + name) }
      #expect(try DurableFile.names(in: directory) == ["..d", ".c", "a", "b"])
      #expect(try DurableFile.names(in: directory + "/absent") == [])
      #expect(code { try DurableFile.names(in: directory + "/a") } == .notDirectory)
      #expect(try DurableFile.names(in: directory, limit: 4).count == 4)
      let failure = error { try DurableFile.names(in: directory, limit: 3) }
      #expect(failure?.code == .limitExceeded && failure?.path == directory)
      #expect(code { try DurableFile.names(in: "") } == .invalidPath)
    }
  }

  #if os(Linux)
    @Test func `A program that is started while a directory is listed does not get it`() throws {
      try withTemporaryDirectory { path in
        try write([], to: path + "/a")
        let files = FileManager.default
        let directory = try Directory(path: path)
        var count = 0
        _ = try directory.names(among: 1) { _ in
          for name in (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            let target = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
            guard let number = Int32(name), target?.hasSuffix(path) == true else { continue }
            count += 1
            #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
          }
          return true
        }
        #expect(count == 2, "the directory and the open list of its names")
      }
    }
  #endif

  @Test func `Names are exchanged, moved to unused names, and never over others`() throws {
    try withTemporaryDirectory { path in
      #expect(run("mkdir", path + "/other"))
      let (directory, other) = (try Directory(path: path), try Directory(path: path + "/other"))
      for (name, byte) in [("a", UInt8(1)), ("b", 2)] { try write([byte], to: path + "/" + name) }
      try directory.exchange("a", with: "b")
      #expect(try contents(of: path + "/a") == [2] && contents(of: path + "/b") == [1])
      #expect(failure { try directory.exchange("a", with: "absent") }?.isAbsent == true)
      for move in [Directory.moveExclusively, Directory.moveByLink, Directory.link] {
        #expect(failure { try move(directory)("a", directory, "b") }?.alreadyExists == true)
        #expect(try names(in: path) == ["a", "b", "other"])
      }
      try directory.moveExclusively("a", to: other, as: "c")
      try directory.moveByLink("b", to: other, as: "d")
      #expect(try names(in: path) == ["other"] && names(in: path + "/other") == ["c", "d"])
      try other.replace("c", with: "d")
      #expect(try contents(of: path + "/other/c") == [1] && names(in: path + "/other") == ["c"])
      try other.link("c", in: directory, as: "e")
      #expect(try directory.status(of: "e")?.links == 2)
    }
  }

  @Test func `A file is made for its owner alone, and only at an unused name`() throws {
    try withTemporaryDirectory { path in
      let directory = try Directory(path: path)
      let mask = umask(0)
      defer { umask(mask) }
      _ = try directory.createFile("new")
      _ = try directory.openForLocking("lock")
      for name in ["new", "lock"] { #expect(try permissions(of: path + "/" + name) == 0o600) }
      #expect(failure { try directory.createFile("new") }?.alreadyExists == true)
      #expect(failure { try directory.openForReading("absent") }?.isAbsent == true)
      #expect(failure { try directory.openForWriting("absent") }?.isAbsent == true)
      #expect(try directory.status(of: "absent") == nil)
      #expect(run("chmod", "444", path + "/new"))
      try directory.makeWritable("new")
      #expect(try permissions(of: path + "/new") == 0o600)
    }
  }

  @Test func `No open follows a link`() throws {
    try withTemporaryDirectory { path in
      let directory = try Directory(path: path)
      #expect(run("mkdir", path + "/inner") && run("touch", path + "/f"))
      #expect(run("ln", "-s", "f", path + "/link") && run("ln", "-s", "inner", path + "/way"))
      for open in [
        directory.openForReading, directory.openForWriting, directory.openForLocking,
      ] {
        #expect(failure { try open("link") }?.number == ELOOP)
      }
      #expect(failure { try directory.openDirectory("way") }?.number == ENOTDIR)
      #expect(failure { try directory.openDirectory("f") }?.number == ENOTDIR)
      #expect(try directory.openDirectory("inner").status(of: "f") == nil)
      #expect(try directory.status(of: "link")?.kind == .symbolicLink)
    }
  }

  @Test func `A directory is renamed with its content`() throws {
    try withTemporaryDirectory { path in
      #expect(run("mkdir", "-p", path + "/a/inner", path + "/other"))
      let (directory, other) = (try Directory(path: path), try Directory(path: path + "/other"))
      try directory.rename("a", to: other, as: "b")
      #expect(try names(in: path) == ["other"] && names(in: path + "/other/b") == ["inner"])
      #expect(failure { try directory.rename("a", to: other, as: "c") }?.call == "renameat")
      #expect(failure { try other.removeDirectory("b") }?.number == ENOTEMPTY)
    }
  }

  @Test func `A directory of 65536 names is listed, and a larger one is refused`() throws {
    try withTemporaryDirectory { path in
      let directory = try Directory(path: path)
      for number in 0..<65_536 { _ = try directory.createFile("\(number)") }
      #expect(try DurableFile.names(in: path).count == 65_536)
      _ = try directory.createFile("more")
      let refused = error { try DurableFile.names(in: path) }
      #expect(refused?.code == .limitExceeded && refused?.detail.contains("65536") == true)
    }
  }
}
