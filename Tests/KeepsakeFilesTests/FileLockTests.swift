import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import KeepsakeFiles

@Suite struct `The lock of a file` {
  /// Another process that holds a lock until its standard input ends.
  private final class OtherProcess {
    private let process = Process()
    private let input = Pipe()

    init(locking path: String) throws {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["flock", "--no-fork", path, "sh", "-c", "echo held; exec cat"]
      process.standardInput = input
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let line = output.fileHandleForReading.availableData
      #expect(String(decoding: line, as: UTF8.self) == "held\n")
    }

    func kill() {
      Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
  }

  @Test func `A lock is refused while another process holds it, and free after its end`()
    throws
  {
    try withTemporaryDirectory { directory in
      let path = directory + "/lock"
      let other = try OtherProcess(locking: path)
      for scope in [FileLock.Scope.process, .exclusive] {
        let failure = error { try FileLock(at: path, scope: scope) }
        #expect(failure?.code == .fileLocked && failure?.path == path)
        #expect(failure?.description.contains("another process") == true)
      }
      other.kill()
      #expect(code { try FileLock(at: path, scope: .process) } == nil)
      #expect(
        try permissions(of: path) == 0o600, "it was made by the other process for others to read")
    }
  }

  @Test func `The locks of one process share a lock, and the last one releases it`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/lock"
      var locks = [
        try FileLock(at: path, scope: .process),
        try FileLock(at: directory + "/../\(fileName(directory))/lock", scope: .process),
      ]
      for _ in 0..<2 {
        #expect(!run("flock", "--nonblock", path, "true"))
        #expect(code { try FileLock(at: path) } == .fileLocked)
        locks.removeLast()
      }
      #expect(run("flock", "--nonblock", path, "true"))
      #expect(try permissions(of: path) == 0o600)
    }
  }

  private func fileName(_ path: String) -> String {
    URL(fileURLWithPath: path).lastPathComponent
  }

  @Test func `An exclusive lock shuts out its own process until it is released`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/lock"
      do {
        let lock = try FileLock(at: path)
        #expect(code { try FileLock(at: path, scope: .process) } == .fileLocked)
        withExtendedLifetime(lock) {}
      }
      #expect(code { try FileLock(at: path, scope: .process) } == nil)
    }
  }

  @Test func `A caller with patience waits for the lock`() async throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/lock"
      let lock = Mutex(try FileLock(at: path) as FileLock?)
      DispatchQueue.global().async { lock.withLock { $0 = nil } }
      #expect(code { try FileLock(at: path, patience: .seconds(10)) } == nil)
    }
  }

  @Test func `A lock of a removed file does not count for the new file`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/lock"
      let old = try FileLock(at: path, scope: .process)
      try FileManager.default.removeItem(atPath: path)
      let new = try FileLock(at: path, scope: .process)
      #expect(!run("flock", "--nonblock", path, "true"))
      withExtendedLifetime((old, new)) {}
    }
  }

  @Test func `A lock tells whether its path still names the locked file`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/inner/lock"
      for scope in [FileLock.Scope.process, .exclusive] {
        for change in ["nothing", "removed", "replaced", "directory moved", "directory replaced"] {
          #expect(run("rm", "-rf", directory + "/inner", directory + "/other"))
          try DurableFile.createDirectory(at: directory + "/inner")
          let lock = try FileLock(at: path, scope: scope)
          switch change {
          case "removed": #expect(run("rm", path))
          case "replaced": #expect(run("sh", "-c", "touch \(path)2 && mv \(path)2 \(path)"))
          case "directory moved", "directory replaced":
            #expect(run("mv", directory + "/inner", directory + "/other"))
            if change == "directory replaced" { #expect(run("mkdir", "-p", path)) }
          default: break
          }
          #expect(try lock.isInPlace() == (change == "nothing"), "\(scope), \(change)")
        }
      }
    }
  }

  @Test(arguments: ["directory", "link", "pipe"])
  func `Only a regular file can be locked`(kind: String) throws {
    try withTemporaryDirectory { (directory: String) throws in
      let path = directory + "/lock"
      switch kind {
      case "directory": #expect(run("mkdir", path))
      case "link": #expect(run("ln", "-s", directory + "/elsewhere", path))
      default: #expect(run("mkfifo", path))
      }
      #expect(code { try FileLock(at: path, scope: .process) } == .notRegularFile)
      #expect(try names(in: directory) == ["lock"])
    }
  }

  @Test(arguments: [false, true])
  func `A lock is taken again when its file is removed or replaced before it is locked`(
    isReplaced: Bool
  ) throws {
    try withTemporaryDirectory { directory in
      let location = try FileLocation(directory + "/lock")
      let place = try location.openDirectory()
      for removals in [0, 1, 15, 16] {
        var count = 0
        let failure = error {
          let (file, identity) = try FileLock.lockedFile(at: location, in: place, false) {
            count += 1
            guard count <= removals else { return }
            if isReplaced { try? write([], to: location.path + "2") }
            #expect(
              isReplaced ? run("mv", location.path + "2", location.path) : run("rm", location.path))
          }
          #expect(try location.status(in: place)?.identity == identity)
          #expect(!run("flock", "--nonblock", location.path, "true"))
          withExtendedLifetime(file) {}
        }
        #expect(failure?.code == (removals == 16 ? .fileLocked : nil))
        #expect(count == min(removals + 1, 16))
      }
    }
  }

  @Test func `A lock in an absent directory is refused`() throws {
    try withTemporaryDirectory { directory in
      #expect(
        code { try FileLock(at: directory + "/absent/lock", scope: .process) } == .directoryAbsent)
    }
  }
}
