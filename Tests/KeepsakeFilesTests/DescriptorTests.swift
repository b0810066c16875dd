import Foundation
import TestSupport
import Testing

@testable import KeepsakeFiles

@Suite struct `An open file` {
  @Test func `Open files are not inherited by programs that are started`() throws {
    try withTemporaryDirectory { path in
      let directory = try Directory(path: path)
      let files = [
        directory.descriptor, try directory.createFile("f"), try directory.openForReading("f"),
        try directory.openForWriting("f"), try directory.openForLocking("f"),
        try FileDescriptor(openingForReading: path + "/f"),
      ]
      for file in files { #expect(fcntl(file.rawValue, F_GETFD) & FD_CLOEXEC != 0) }
    }
  }

  @Test func `Opening a pipe that has taken a file's name does not block`() throws {
    try withTemporaryDirectory { path in
      #expect(run("mkfifo", path + "/pipe"))
      let directory = try Directory(path: path)
      // While this end is open for reading and writing, even blocking opens would not wait.
      let both = try directory.openForLocking("pipe")
      let files = [
        both, try directory.openForReading("pipe"), try directory.openForWriting("pipe"),
        try FileDescriptor(openingForReading: path + "/pipe"),
      ]
      for file in files { #expect(fcntl(file.rawValue, F_GETFL) & O_NONBLOCK != 0) }
    }
  }

  @Test func `A file that cannot be opened or locked is replaced without a lock`() {
    for number in [EACCES, EPERM, ENOLCK, ENOSYS, EINVAL, ENOTSUP] {
      #expect(SystemFailure(call: "flock", number: number).preventsLocking)
    }
    for number in [EWOULDBLOCK, EBADF, ENOENT, EIO, EISDIR] {
      #expect(!SystemFailure(call: "flock", number: number).preventsLocking)
    }
  }

  @Test func `A file that is updated grows, and is cut to a size`() throws {
    try withTemporaryDirectory { path in
      try write(pattern(60), to: path + "/f")
      let file = try FileDescriptor(openingForUpdating: path + "/f")
      try file.write(pattern(10).span, at: 60)
      try file.synchronizeData()
      #expect(try contents(of: path + "/f") == pattern(60) + pattern(10))
      try file.truncate(to: 3)
      #expect(try contents(of: path + "/f") == pattern(3))
      let refused = failure { try file.truncate(to: 1 << 63) }
      #expect(refused?.call == "ftruncate" && refused?.number == EFBIG)
      #expect(fcntl(file.rawValue, F_GETFD) & FD_CLOEXEC != 0)
      #expect(run("ln", "-s", "f", path + "/link"))
      #expect(failure { try FileDescriptor(openingForUpdating: path + "/link") }?.number == ELOOP)
    }
  }

  @Test func `A read ends where the file ends`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/f"
      for (size, stated) in [(0, 0), (1, 1), (60, 60)] {
        try write(pattern(size), to: path)
        let file = try FileDescriptor(openingForReading: path)
        #expect(try file.readUp(to: size + 5, at: 0, path: path) == pattern(size))
        #expect(try file.readUp(to: 5, at: UInt64(size), path: path) == [])
        #expect(try file.readExactly(size, at: 0, path: path) == pattern(size))
        #expect(try file.readExactly(size + 1, at: 0, path: path) == nil)
        for difference in -1...1 where size + difference >= 0 {
          #expect(
            try file.hasStatedSize(UInt64(stated + difference), path: path) == (difference == 0))
        }
      }
      let file = try FileDescriptor(openingForReading: path)
      #expect(try file.readUp(to: 5, at: 57, path: path) == Array(pattern(60)[57...]))
      #expect(try file.readExactly(2, at: 58, path: path) == Array(pattern(60)[58...]))
    }
  }

  @Test func `An offset beyond the largest file is refused, and an error names the path`() throws {
    try withTemporaryDirectory { path in
      let file = try Directory(path: path).createFile("f")
      let written = error { try file.write([1].span, at: 1 << 63, path: "/p") }
      #expect(written?.systemCall == "pwrite" && written?.systemError == EFBIG)
      #expect(written?.path == "/p")
      let read = error { try file.readUp(to: 1, at: 1 << 63, path: "/p") }
      #expect(read?.systemCall == "pread" && read?.systemError == EOVERFLOW && read?.path == "/p")
      let directory = try Directory(path: path).descriptor
      let refused = error { try directory.readExactly(1, at: 0, path: "/p") }
      #expect(refused?.code == .notRegularFile && refused?.path == "/p")
    }
  }

  #if os(Linux)
    @Test func `A nameless file belongs to its owner alone, and gets a name by a link`() throws {
      try withTemporaryDirectory { path in
        let directory = try Directory(path: path)
        let file = try directory.createNamelessFile()
        #expect(try file.status().links == 0 && file.status().permissions == 0o600)
        #expect(fcntl(file.rawValue, F_GETFD) & FD_CLOEXEC != 0)
        try file.write([1].span, at: 0)
        #expect(try names(in: path) == [])
        try directory.link(file, as: "f")
        #expect(try contents(of: path + "/f") == [1])
        #expect(failure { try directory.link(file, as: "f") }?.alreadyExists == true)
      }
    }

    // A writer that repeated the call while bytes are left would never end.
    @Test func `A write that makes no progress fails`() throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["sleep", "600"]
      try process.run()
      // The memory file of an ended process takes no bytes and reports no error.
      let memory = try? Directory(path: "/proc/\(process.processIdentifier)").openForWriting("mem")
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      // Some systems let no process open it.
      guard let memory else { return }
      let failure = error { try memory.write([1].span, at: 4_096, path: "mem") }
      #expect(failure?.systemCall == "pwrite" && failure?.systemError == EIO)
    }
  #endif
}
