import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import Keepsake

/// The numbers that were encoded in a `Counted`.
private let encodedNumbers = Mutex<Set<Int>>([])

private struct Settings: Codable, Equatable {
  var fontSize = 12
  var theme = "light"
}

/// A value that cannot be compared, and says which numbers of it were encoded.
private struct Counted: Codable {
  var number = 0

  init() {}

  init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(Int.self)
  }

  func encode(to encoder: any Encoder) throws {
    _ = encodedNumbers.withLock { $0.insert(number) }
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}

/// A piece of work that the next decoding of an `Interrupted` does; nil for none.
private let interruption = Mutex<(@Sendable () -> Void)?>(nil)

/// A value that runs a closure while it is decoded.
private struct Interrupted: Codable, Equatable {
  var number = 0

  init(number: Int = 0) { self.number = number }

  init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(Int.self)
    let interrupt = interruption.withLock { interruption in
      defer { interruption = nil }
      return interruption
    }
    interrupt?()
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }
}

@MainActor private final class Page {
  @SealedSetting<Settings, Int> var fontSize: Int

  init(_ settings: SealedSettings<Settings>) {
    _fontSize = SealedSetting(\.fontSize, in: settings)
  }

  var problem: String? { $fontSize.failure?.message }
}

@MainActor
@Suite(.timeLimit(.minutes(30))) struct `Settings in memory` {
  private func with(
    _ body:
      @MainActor (
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

  /// Waits until a condition holds, which is checked at each change of what it reads.
  private func wait(until condition: @escaping @MainActor () -> Bool) async {
    while true {
      let (changes, continuation) = AsyncStream<Void>.makeStream()
      let holds = withObservationTracking {
        condition()
      } onChange: {
        continuation.yield()
      }
      if holds { return }
      for await () in changes { break }
    }
  }

  @Test func `A property is changed at once, and saved with the changes of others`()
    async throws
  {
    try await with { store, other in
      let settings = SealedSettings(store)
      #expect(settings.value == Settings() && settings.failure == nil)
      try await other.update { $0.theme = "dark" }
      settings[\.fontSize] += 2
      #expect(settings.value.fontSize == 14 && settings.hasUnsavedChanges)
      try await settings.synchronize()
      #expect(!settings.hasUnsavedChanges)
      #expect(try await other.load() == Settings(fontSize: 14, theme: "dark"))
      #expect(settings.value == Settings(fontSize: 14, theme: "dark"))
    }
  }

  @Test func `A change of another process is observed`() async throws {
    try await with { store, other in
      let settings = SealedSettings(store)
      try await other.update { $0.theme = "dark" }
      await wait { settings.value.theme == "dark" }
      #expect(settings.value == Settings(theme: "dark"))
    }
  }

  @Test func `A change of the file during the first read is observed`() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory + "/interrupted"
      let store = SealedValueStore(
        path: path, key: .key(try SealKey.generate()), default: Interrupted())
      try await store.save(Interrupted(number: 2))
      let later = try Data(contentsOf: URL(fileURLWithPath: path))
      try await store.save(Interrupted(number: 1))
      interruption.withLock { interruption in
        // Another process replaces the file; it does not wait for the lock that the read holds.
        interruption = {
          #expect(throws: Never.self) {
            try later.write(to: URL(fileURLWithPath: path), options: .atomic)
          }
        }
      }
      let settings = SealedSettings(store)
      #expect(settings.value.number == 1)
      await wait { settings.value.number == 2 }
      #expect(settings.failure == nil)
    }
  }

  @Test func `A property wrapper reads and sets one property`() async throws {
    try await with { store, other in
      let settings = SealedSettings(store)
      let page = Page(settings)
      page.fontSize += 1
      #expect(page.fontSize == 13 && settings.value.fontSize == 13 && page.problem == nil)
      try await settings.synchronize()
      #expect(try await other.load().fontSize == 13)
      try await other.update { $0.fontSize = 20 }
      await wait { page.fontSize == 20 }
    }
  }

  @Test func `One more save writes all changes that are made while a save runs`() async throws {
    try await withTemporaryDirectory { directory in
      let store = SealedValueStore(
        path: directory + "/counted", key: .key(try SealKey.generate()), default: Counted())
      let settings = SealedSettings(store)
      for _ in 0..<1_000 { settings.update { $0.number += 1 } }
      for number in 0..<1_000 { settings[\.number] = 1_000 + number }
      try await settings.synchronize()
      // A read encodes the default, which is 0.
      #expect(encodedNumbers.withLock { $0 }.subtracting([0]) == [1_999])
      #expect(try await store.load().number == 1_999)
    }
  }

  @Test func `A change is saved even if the settings are dropped`() async throws {
    try await with { store, other in
      var settings: SealedSettings? = SealedSettings(store)
      settings?[\.fontSize] = 15
      settings = nil
      for try await value in other.values where value.fontSize == 15 { break }
    }
  }

  @Test func `An app is told of a file that cannot be read, which is not overwritten`()
    async throws
  {
    try await with { store, other in
      try await other.update { $0.theme = "dark" }
      let url = URL(fileURLWithPath: store.path)
      let good = try Data(contentsOf: url)
      let bad = Data("broken".utf8)
      try bad.write(to: url, options: .atomic)
      var failures: [KeepsakeError.Code] = []
      let settings = SealedSettings(store) { failures.append($0.code) }
      #expect(settings.value == Settings() && settings.failure?.code == .damaged)
      settings[\.fontSize] = 15
      let error = await #expect(throws: KeepsakeError.self) { try await settings.synchronize() }
      #expect(error?.code == .damaged && settings.hasUnsavedChanges)
      #expect(Set(failures) == [.damaged] && failures.count >= 2)
      #expect(settings.value.fontSize == 15)
      #expect(try Data(contentsOf: url) == bad)
      // The waiting change is saved when the file can be read again.
      try good.write(to: url, options: .atomic)
      await wait { !settings.hasUnsavedChanges && settings.failure == nil }
      #expect(settings.value == Settings(fontSize: 15, theme: "dark"))
      #expect(try await other.load() == settings.value)
    }
  }
}
