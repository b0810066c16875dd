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
}
