import Foundation
import TestSupport
import Testing

@testable import Keepsake

@Suite(.timeLimit(.minutes(30))) struct `The values of a store, one after each change` {
  private struct Settings: Codable, Equatable {
    var color = "blue"
    var count = 0
  }

  private func with(
    _ body: (
      _ store: SealedValueStore<Settings>, _ other: SealedValueStore<Settings>
    ) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let key = SealedValueKey.key(try SealKey.generate())
      let stores = (0..<2).map { _ in
        SealedValueStore(path: directory + "/settings", key: key, default: Settings())
      }
      try await body(stores[0], stores[1])
    }
  }

  @Test func `The sequence begins with the default, and gives each change by any store`()
    async throws
  {
    try await with { store, other in
      var values = store.values.makeAsyncIterator()
      #expect(try await values.next() == Settings())
      try await store.update { $0.count = 1 }
      #expect(try await values.next()?.count == 1)
      try await other.update { $0.color = "green" }
      #expect(try await values.next() == Settings(color: "green", count: 1))
      try FileManager.default.removeItem(atPath: store.path)
      #expect(try await values.next() == Settings())
    }
  }

  @Test func `The sequence gives a change by another process`() async throws {
    try await withTemporaryDirectory { directory in
      let key = SealedValueKey.key(try SealKey.generate())
      let store = SealedValueStore(path: directory + "/settings", key: key, default: Settings())
      var values = store.values.makeAsyncIterator()
      #expect(try await values.next() == Settings())
      let new = Settings(count: 5)
      try await SealedValue.save(new, to: store.path + "-new", for: key)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["mv", store.path + "-new", store.path]
      try process.run()
      process.waitUntilExit()
      #expect(try await values.next()?.count == 5)
    }
  }

  @Test func `A slow reader may miss values, but never the last one`() async throws {
    try await with { store, other in
      var values = store.values.makeAsyncIterator()
      _ = try await values.next()
      for _ in 1...50 { try await other.update { $0.count += 1 } }
      var counts: [Int] = []
      while counts.last != 50, let value = try await values.next() { counts.append(value.count) }
      #expect(counts.last == 50 && counts == counts.sorted())
    }
  }

  @Test func `An error ends the sequence, and a new sequence works when the file is mended`()
    async throws
  {
    try await with { store, other in
      try await store.update { $0.count = 1 }
      let url = URL(fileURLWithPath: store.path)
      let good = try Data(contentsOf: url)
      var values = store.values.makeAsyncIterator()
      _ = try await values.next()
      try Data("broken".utf8).write(to: url, options: .atomic)
      let error = await #expect(throws: KeepsakeError.self) { try await values.next() }
      #expect(error?.code == .damaged)
      #expect(try await values.next() == nil)
      try good.write(to: url, options: .atomic)
      var others = other.values.makeAsyncIterator()
      #expect(try await others.next()?.count == 1)
    }
  }

  @Test func `The sequence ends with its task`() async throws {
    try await with { store, _ in
      let (started, continuation) = AsyncStream<Void>.makeStream()
      let task = Task {
        var count = 0
        for try await _ in store.values {
          count += 1
          continuation.yield()
        }
        return count
      }
      for await () in started { break }
      task.cancel()
      let count = try await task.value
      #expect(count == 1)
    }
  }

  // Spec/state.md, section 6, rule 6.
  @Test func `A save of an older value is refused even if the sequence has read the newer one`()
    async throws
  {
    try await with { store, other in
      let loaded = try await store.load()
      var values = store.values.makeAsyncIterator()
      _ = try await values.next()
      try await other.update { $0.color = "green" }
      #expect(try await values.next()?.color == "green")
      let error = await #expect(throws: KeepsakeError.self) { try await store.save(loaded) }
      #expect(error?.code == .valueChanged)
    }
  }
}
