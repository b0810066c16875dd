import Foundation
import Synchronization
import Testing

@testable import Keepsake

/// A passphrase key store that runs an action after Argon2id and before it keeps the key.
private final class OvertakenStore: Sendable {
  private typealias Action = @Sendable (PassphraseKeyStore) throws -> Void

  private let action = Mutex<Action?>(nil)
  private let made = Mutex<PassphraseKeyStore?>(nil)

  init(_ path: String) {
    let store = PassphraseKeyStore(path: path, cost: .constrained) { [weak self] in self?.act() }
    made.withLock { $0 = store }
  }

  var store: PassphraseKeyStore {
    get throws { try #require(made.withLock { $0 }) }
  }

  /// Sets an action that runs once, during the next work of the store.
  func next(_ action: @escaping @Sendable (PassphraseKeyStore) throws -> Void) {
    self.action.withLock { $0 = action }
  }

  private func act() {
    let action = action.withLock { action in
      defer { action = nil }
      return action
    }
    do { try action?(store) } catch { Issue.record(error) }
  }
}

@MainActor
@Suite struct `A passphrase key store that is locked while it works` {
  private let right = Result { try SealPassphrase(copying: Array("right".utf8).span) }

  /// A directory with a state under the passphrase, and a store that is locked.
  private func withState(
    _ body: @MainActor (TemporaryDirectory, OvertakenStore) async throws -> Void
  ) async throws {
    try await TemporaryDirectory.with { directory in
      let first = PassphraseKeyStore(path: directory.state.keyPath, cost: .constrained)
      try await first.unlock(with: right.get())
      try await SealedStateStore(directory: directory.state, keyStore: first)
        .save([1], previous: .replace)
      try await body(directory, OvertakenStore(directory.state.keyPath))
    }
  }

  @Test
  func `A store that is locked during an unlock stays locked, and the unlock fails`() async throws {
    try await withState { _, overtaken in
      let store = try overtaken.store
      overtaken.next { $0.lock() }
      let passphrase = try right.get()
      let error = await thrownError { try await store.unlock(with: passphrase) }
      #expect(error?.code == .keyLocked)
      let message = error?.message ?? ""
      #expect(message.contains(store.path) && message.hasSuffix("unlock it again."), "\(message)")
      #expect(await thrownError { _ = try store.existingKey() }?.code == .keyLocked)
      #expect(await thrownError { _ = try store.existingOrNewKey() }?.code == .keyLocked)
      // It is unlocked by the next call.
      #expect(try await store.unlock(with: passphrase))
      _ = try store.existingKey()
    }
  }

  @Test func `A store seals nothing with a key that was set aside during an unlock`() async throws {
    try await withState { directory, overtaken in
      let store = try overtaken.store
      let state = SealedStateStore(directory: directory.state, keyStore: store)
      overtaken.next { try $0.setKeyAside() }
      let passphrase = try right.get()
      #expect(await thrownError { try await store.unlock(with: passphrase) }?.code == .keyLocked)
      try await state.reset()
      let error = await #expect(throws: RestorationError.self) {
        try await state.save([2], previous: .replace)
      }
      #expect(error?.code == .keyUnavailable)
      #expect(try directory.names() == ["key.set-aside-1", "state.keepsake.set-aside-1"])
      // With a passphrase for the next key, the store works again.
      #expect(try await !store.unlock(with: passphrase))
      try await state.save([2], previous: .replace)
      #expect(try await state.load() == .archive([2], failedLaunchCount: 0))
    }
  }

  @Test
  func `A store that is locked during an unlock keeps no passphrase for a new key`() async throws {
    try await TemporaryDirectory.with { directory in
      let overtaken = OvertakenStore(directory.state.keyPath)
      let store = try overtaken.store
      overtaken.next { $0.lock() }
      let passphrase = try right.get()
      #expect(await thrownError { try await store.unlock(with: passphrase) }?.code == .keyLocked)
      #expect(await thrownError { _ = try store.existingOrNewKey() }?.code == .keyLocked)
    }
  }

  @Test func `A store that is locked during a save completes the save and forgets the key`()
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let overtaken = OvertakenStore(directory.state.keyPath)
      let store = try overtaken.store
      let state = SealedStateStore(directory: directory.state, keyStore: store)
      try await store.unlock(with: right.get())
      overtaken.next { $0.lock() }
      try await state.save([1], previous: .replace)
      #expect(await thrownError { _ = try store.existingKey() }?.code == .keyLocked)
      try await store.unlock(with: right.get())
      #expect(try await state.load() == .archive([1], failedLaunchCount: 0))
    }
  }

  @Test
  func `A save is refused when its first key is set aside as soon as it is made`() async throws {
    try await TemporaryDirectory.with { directory in
      let overtaken = OvertakenStore(directory.state.keyPath)
      let store = try overtaken.store
      let state = SealedStateStore(directory: directory.state, keyStore: store)
      try await store.unlock(with: right.get())
      overtaken.next { try $0.setKeyAside() }
      let error = await #expect(throws: RestorationError.self) {
        try await state.save([1], previous: .replace)
      }
      #expect(error?.code == .keyUnavailable)
      #expect(try directory.names() == ["key.set-aside-1"])
    }
  }

  @Test func `A store keeps its first key when setting it aside failed`() async throws {
    try await TemporaryDirectory.with { directory in
      // A file name has at most 255 bytes, so no suffix can be added to this one.
      let overtaken = OvertakenStore(
        directory.url.path + "/" + String(repeating: "k", count: 250))
      let store = try overtaken.store
      try await store.unlock(with: right.get())
      overtaken.next { other in
        let error = #expect(throws: KeepsakeError.self) { try other.setKeyAside() }
        #expect(error?.code == .storeUnavailable)
      }
      let key = try store.existingOrNewKey()
      #expect(try store.existingKey().isEqual(to: key))
    }
  }

  @Test func `A store seals nothing when another store has set its key aside`() async throws {
    try await withState { directory, overtaken in
      let store = try overtaken.store
      try await store.unlock(with: right.get())
      let state = SealedStateStore(directory: directory.state, keyStore: store)
      let before = try directory.contents(directory.state.archivePath)
      try KeyFileStore(path: store.path).setKeyAside()
      let error = await #expect(throws: RestorationError.self) {
        try await state.save([2], previous: .replace)
      }
      #expect(error?.code == .keyUnavailable && error?.message.contains(store.path) == true)
      #expect(try directory.contents(directory.state.archivePath) == before)
      #expect(await thrownError { _ = try store.existingKey() }?.code == .keyAbsent)
      #expect(await thrownError { _ = try store.existingOrNewKey() }?.code == .keyAbsent)
    }
  }
}

@MainActor
@Suite struct `The work limit of a passphrase key file` {
  /// The costs in the file, in the units of the limits.
  private static let (passes, memory) = (3, 64 << 20)

  @Test(arguments: [-1, 0, 1])
  func `The work limit applies to passes, memory and their product`(difference: Int) async throws {
    try await TemporaryDirectory.with { directory in
      let path = directory.url.appendingPathComponent("key").path
      let passphrase = try SealPassphrase(copying: Array("right".utf8).span)
      _ = try SealKey.create(at: path, passphrase: passphrase, cost: .constrained)
      var policies = [SealPolicy](repeating: SealPolicy(), count: 3)
      policies[0].maximumPassphrasePasses = Self.passes + difference
      policies[1].maximumPassphraseMemory = Self.memory + difference
      policies[2].maximumPassphraseWork = Self.passes * Self.memory + difference
      for (index, policy) in policies.enumerated() {
        let store = PassphraseKeyStore(path: path, cost: .constrained, policy: policy)
        let error = await thrownError { try await store.unlock(with: passphrase) }
        #expect((error == nil) == (difference >= 0), "limit \(index)")
        guard let error else { continue }
        #expect(error.code == .keyUnavailable)
        #expect((error.underlyingError as? SealError)?.code == .limitExceeded)
        #expect(error.path == path)
        let option = ["Passes", "Memory", "Work"][index]
        #expect(error.message.contains("SealPolicy.maximumPassphrase\(option)"), "\(error.message)")
      }
    }
  }
}
