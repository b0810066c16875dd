import Foundation
import Keepsake
import Testing

@Suite struct `Decoding the objects of an archive on other threads` {
  private struct Entry: ArchiveRecord, Equatable {
    var number: Int
    var text: String

    init(_ number: Int) {
      self.number = number
      text = String(repeating: "x", count: 1000 + number % 100)
    }

    func encode(to coder: inout ObjectEncoder) {
      coder.encode(number, forKey: "number")
      coder.encode(text, forKey: "text")
    }

    init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
      number = try coder.decode(forKey: "number")
      text = try coder.decode(forKey: "text")
      isOnMainThread = Thread.isMainThread
    }

    private(set) var isOnMainThread = true

    static func == (left: Entry, right: Entry) -> Bool {
      left.number == right.number && left.text == right.text
    }
  }

  private static let entries = (1...1500).map { Entry($0) }

  /// An archive of about 24 segments.
  private func archive() throws -> Archive {
    var writer = ArchiveWriter()
    try writer.writeObjects(Self.entries, typeName: "Entry")
    return try Archive(writer.finish(root: ArchiveObjectID(1)))
  }

  @MainActor @Test(arguments: [1, 2, 7])
  func `Objects are decoded in their order, and not on the thread of the actor`(
    threads: Int
  ) async throws {
    let entries = try await archive().decodeObjects(Entry.self, threads: threads)
    #expect(entries == Self.entries)
    #expect(entries.allSatisfy { !$0.isOnMainThread })
  }

  @Test func `Decoding throws the error of the first object that cannot be read`() async throws {
    struct Picky: ArchiveDecodableRecord {
      init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
        if try coder.decode(Int.self, forKey: "number") >= 700 {
          _ = try coder.decode(Int.self, forKey: "absent")
        }
      }
    }
    let error = await #expect(throws: ArchiveError.self) {
      try await archive().decodeObjects(Picky.self, threads: 3)
    }
    #expect(error?.objectID == ArchiveObjectID(700))
  }

  @Test func `Decoding does not begin for a task that was cancelled before`() async throws {
    let archive = try archive()
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await archive.decodeObjects(Entry.self, threads: 2)
    }
    task.cancel()
    let error = await #expect(throws: SealError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }
}
