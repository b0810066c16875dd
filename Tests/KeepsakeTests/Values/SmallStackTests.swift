import Foundation
import Keepsake
import TestSupport
import Testing

private struct Reply: Codable, Equatable, Sendable {
  var text = "hi"
  var replies: [Reply] = []
}

private indirect enum Sum: Codable, Equatable, Sendable {
  case number(Int)
  case of(Sum, Int)
}

private struct Outline: ArchiveRecord, Equatable {
  static let archiveTypeName = "Outline"
  var parts: [Outline] = []

  init(_ parts: [Outline]) { self.parts = parts }

  func encode(to coder: inout ObjectEncoder) { coder.encode(parts, forKey: "parts") }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    parts = try coder.decode(forKey: "parts")
  }
}

/// Files with replies, a sum and an outline of a number of levels or a few more.
private struct DeepFiles: Sendable {
  let directory: String
  let key: SealKey
  let levels: Int

  private func path(_ name: String) -> String { "\(directory)/\(name)-\(levels)" }

  /// Saves the values on a thread with enough stack for any of them.
  func save() async throws {
    try await onStack(of: 256 << 20) {
      var limits = ArchiveLimits()
      limits.nestingDepth = levels + 8
      var (replies, sum, outline) = (Reply(), Sum.number(1), Outline([]))
      for _ in 0..<(levels - 2) / 2 {
        replies = Reply(replies: [replies])
        outline = Outline([outline])
        sum = .of(sum, 1)
      }
      try SealedValue.save(replies, to: path("replies"), for: .key(key), limits: limits)
      try SealedValue.save(sum, to: path("sum"), for: .key(key), limits: limits)
      try SealedValue.save(outline, to: path("outline"), for: .key(key), limits: limits)
    }
  }

  /// The errors with which the values are loaded; nil for one that is loaded.
  func load() -> [KeepsakeError?] {
    let key = SealedValueKey.key(key)
    let loads: [() throws -> Void] = [
      { _ = try SealedValue.load(Reply.self, from: path("replies"), with: key) },
      { _ = try SealedValue.load(Sum.self, from: path("sum"), with: key) },
      { _ = try SealedValue.load(Outline.self, from: path("outline"), with: key) },
      {
        _ = try SealedValueStore(path: path("replies"), key: key, default: Reply()).load()
      },
    ]
    return loads.map { load in
      do {
        try load()
        return nil
      } catch {
        return error as? KeepsakeError ?? KeepsakeError(.damaged, "\(error)")
      }
    }
  }
}

/// Values in files, on threads whose stacks are small (Spec/state.md, section 6).
///
/// A failure here ends the process.
@Suite struct `Values on a small stack` {
  /// Loads files of a number of levels on a stack of some bytes, and expects a code of each load.
  private static func load(
    levels: Int, onStackOf byteCount: Int, expecting code: KeepsakeError.Code?
  ) async throws {
    try await withTemporaryDirectory { directory in
      let files = DeepFiles(directory: directory, key: try SealKey.generate(), levels: levels)
      try await files.save()
      try await onStack(of: byteCount) {
        for error in files.load() {
          #expect(error?.code == code)
          guard let error else { continue }
          #expect(
            error.message.contains("the 64 levels that the stack of this thread has room for"),
            "\(error)")
          #expect(error.message.contains("on a thread with a larger stack"), "\(error)")
        }
      }
    }
  }

  @Test func `Values of 64 levels are read on a stack of 512 KiB`() async {
    await #expect(processExitsWith: .success) {
      try await Self.load(levels: 62, onStackOf: 512 << 10, expecting: nil)
    }
  }

  @Test
  func `Values that are too deep for a stack of 512 KiB are refused, and errors name the stack`()
    async
  {
    await #expect(processExitsWith: .success) {
      try await Self.load(levels: 512, onStackOf: 512 << 10, expecting: .valueUnreadable)
    }
  }

  @Test func `Values of 512 levels are read on a stack of 8 MiB`() async {
    await #expect(processExitsWith: .success) {
      try await Self.load(levels: 504, onStackOf: 8 << 20, expecting: nil)
    }
  }
}
