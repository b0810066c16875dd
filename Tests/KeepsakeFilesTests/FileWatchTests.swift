import Foundation
import TestSupport
import Testing

@testable import KeepsakeFiles

@Suite(.timeLimit(.minutes(30))) struct `The watch of a file` {
  /// The calls of a watch; one call may report several changes.
  private struct Calls {
    private let stream: AsyncStream<Void>
    private let watch: FileWatch

    init(of path: String, polling interval: Duration) throws {
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      self.stream = stream
      watch = try FileWatch(of: path, polling: interval) { continuation.yield() }
    }

    /// Waits for a call that begins after `change` has.
    func next(after change: () throws -> Void) async throws {
      try change()
      for await () in stream { return }
    }
  }

  /// The time between two polls is so long that only reports of the system lead to calls.
  private static let never = Duration.seconds(100_000)

  @Test func `The system reports a file that is made, replaced, grows and is removed`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let path = directory + "/file"
      let calls = try Calls(of: path, polling: Self.never)
      try await calls.next { try DurableFile.replace(at: path, with: [1].span) }
      try await calls.next { try DurableFile.replace(at: path, with: [2, 3].span) }
      try await calls.next {
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data([4]))
        try file.close()
      }
      try await calls.next { try DurableFile.removeEntry(at: path) }
    }
  }

  @Test func `A change of another file leads to no call`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/file"
      let count = Monitor(0)
      let watch = try FileWatch(of: path, polling: Self.never) { count.withLock { $0 += 1 } }
      for number in 0..<20 {
        try DurableFile.replace(at: "\(directory)/other-\(number)", with: [1].span)
      }
      try DurableFile.replace(at: path, with: [1].span)
      count.wait { $0 > 0 }
      #expect(count.withLock { $0 } == 1)
      withExtendedLifetime(watch) {}
    }
  }

  @Test func `A file is polled until its directory exists`() async throws {
    try await withTemporaryDirectory { directory in
      let inner = directory + "/inner"
      let calls = try Calls(of: inner + "/file", polling: .milliseconds(5))
      try await calls.next {
        try DurableFile.createDirectory(at: inner, mode: 0o700)
        try DurableFile.replace(at: inner + "/file", with: [1].span)
      }
      try await calls.next { try FileManager.default.removeItem(atPath: inner) }
      try await calls.next {
        try DurableFile.createDirectory(at: inner, mode: 0o700)
        try DurableFile.replace(at: inner + "/file", with: [1].span)
      }
    }
  }

  @Test func `The watch follows a directory that replaces the one of the file`() async throws {
    try await withTemporaryDirectory { directory in
      let (inner, other) = (directory + "/inner", directory + "/other")
      for folder in [inner, other] { try DurableFile.createDirectory(at: folder, mode: 0o700) }
      let calls = try Calls(of: inner + "/file", polling: .milliseconds(5))
      try await calls.next { try DurableFile.replace(at: inner + "/file", with: [1].span) }
      try FileManager.default.moveItem(atPath: inner, toPath: directory + "/former")
      try await calls.next {
        try FileManager.default.moveItem(atPath: other, toPath: inner)
        try DurableFile.replace(at: inner + "/file", with: [1, 2].span)
      }
    }
  }

  /// An object whose end a test can wait for.
  private final class Held: Sendable {
    let onEnd: @Sendable () -> Void

    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    deinit { onEnd() }
  }

  private static func watch(_ path: String, onEnd: @escaping @Sendable () -> Void) throws
    -> FileWatch
  {
    let held = Held(onEnd: onEnd)
    return try FileWatch(of: path, polling: Self.never) { withExtendedLifetime(held) {} }
  }

  @Test func `A watch ends with its last reference, and lets go of what its function holds`()
    async throws
  {
    try await withTemporaryDirectory { directory in
      let (stream, continuation) = AsyncStream<Void>.makeStream()
      var watch: FileWatch? = try Self.watch(directory + "/file") { continuation.finish() }
      withExtendedLifetime(watch) {}
      watch = nil
      for await () in stream {}
    }
  }

  @Test func `A path that names no file is refused`() {
    #expect(code { try FileWatch(of: "/") {} } == .invalidPath)
  }
}
