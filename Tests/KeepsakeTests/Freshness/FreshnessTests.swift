import Foundation
import Synchronization
import Testing

@testable import Keepsake

/// Pins in memory, which a test removes or makes unreachable.
private final class PinnedStates: FreshnessStore {
  private struct State {
    var pins: [StatePurpose: SealedFilePin] = [:]
    var isReachable = true
    var isWritable = true
  }

  private let state = Mutex(State())

  var pins: [StatePurpose: SealedFilePin] {
    get { state.withLock { $0.pins } }
    set { state.withLock { $0.pins = newValue } }
  }

  func setReachable(_ isReachable: Bool, isWritable: Bool = true) {
    state.withLock { state in
      state.isReachable = isReachable
      state.isWritable = isWritable
    }
  }

  private static let unreachable = KeepsakeError(
    .freshnessUnavailable, "The server is not reachable; try again later.")

  func pin(of purpose: StatePurpose) throws(KeepsakeError) -> SealedFilePin? {
    let (pin, isReachable) = state.withLock { ($0.pins[purpose], $0.isReachable) }
    guard isReachable else { throw Self.unreachable }
    return pin
  }

  func keep(_ pin: SealedFilePin, of purpose: StatePurpose) throws(KeepsakeError) {
    let isKept = state.withLock { state in
      guard state.isReachable, state.isWritable else { return false }
      state.pins[purpose] = pin
      return true
    }
    guard isKept else { throw Self.unreachable }
  }

  func removePin(of purpose: StatePurpose) throws(KeepsakeError) {
    state.withLock { $0.pins[purpose] = nil }
  }
}

/// A state whose pins are kept.
@MainActor
private struct PinnedState {
  let directory: TemporaryDirectory
  let pins = PinnedStates()

  var path: String { directory.state.archivePath }
  var purpose: StatePurpose { directory.state.purpose }
  var pin: SealedFilePin? { pins.pins[purpose] }

  static func with(_ body: @MainActor (PinnedState) async throws -> Void) async throws {
    try await TemporaryDirectory.with { try await body(PinnedState(directory: $0)) }
  }

  /// The store of a new launch.
  var launch: SealedStateStore {
    SealedStateStore(directory: directory.state, freshnessStore: pins)
  }

  /// Saves the numbers one after the other, and gives the file after each.
  func save(_ numbers: UInt8..., in store: SealedStateStore? = nil) async throws -> [Data] {
    let store = store ?? launch
    var files: [Data] = []
    for number in numbers {
      try await store.save([number], previous: .replace)
      files.append(try directory.contents(path))
    }
    return files
  }

  /// The error of a load by a new launch.
  func loadError() async -> RestorationError? {
    do throws(RestorationError) {
      _ = try await launch.load()
      return nil
    } catch {
      return error
    }
  }

  /// The file as it is now, opened.
  func opened() throws -> SealedFile {
    try directory.opened(with: SealKey.read(at: directory.state.keyPath))
  }
}

@MainActor
@Suite struct `A state whose pin is kept` {
  @Test func `A state is refused when an older one was put back, and nothing is overwritten`()
    async throws
  {
    try await PinnedState.with { state in
      let files = try await state.save(1, 2, 3)
      for older in files.dropLast() {
        try state.directory.write(older, to: state.path)
        let error = await state.loadError()
        #expect(error?.code == .staleState)
        #expect(
          error?.message.contains(state.path) == true && error?.message.hasSuffix(".") == true)
        let refused = await #expect(throws: RestorationError.self) {
          _ = try await state.save(9)
        }
        #expect(refused?.code == .staleState)
        #expect(try state.directory.contents(state.path) == older)
      }
      try state.directory.write(files[2], to: state.path)
      let store = state.launch
      #expect(try await store.load() == .archive([3], failedLaunchCount: 0))
      #expect(store.freshness == .exact)
    }
  }

  @Test func `Another state of the same generation is refused`() async throws {
    try await PinnedState.with { state in
      let other = try await state.save(1)
      try FileManager.default.removeItem(atPath: state.path)
      state.pins.pins = [:]
      _ = try await state.save(1)
      try state.directory.write(other[0], to: state.path)
      #expect(await state.loadError()?.code == .staleState)
    }
  }

  @Test
  func `A state is usable after a reset, and its set-aside file is still refused`() async throws {
    try await PinnedState.with { state in
      let files = try await state.save(1, 2)
      try state.directory.write(files[0], to: state.path)
      let key = try state.directory.contents(state.directory.state.keyPath)
      let store = state.launch
      try await store.reset()
      #expect(try state.directory.contents(state.path + ".set-aside-1") == files[0])
      _ = try await state.save(3, in: store)
      #expect(try state.opened().generation == 4)
      // The old file is put back, with its old key.
      try state.directory.write(files[1], to: state.path)
      try state.directory.write(key, to: state.directory.state.keyPath)
      #expect(await state.loadError()?.code == .staleState)
    }
  }

  @Test func `A removed state is refused when it is put back`() async throws {
    try await PinnedState.with { state in
      let store = state.launch
      let files = try await state.save(1, 2, in: store)
      try await store.remove()
      try state.directory.write(files[1], to: state.path)
      #expect(await state.loadError()?.code == .staleState)
      try FileManager.default.removeItem(atPath: state.path)
      #expect(try await state.launch.load() == .absent)
      _ = try await state.save(3)
      #expect(try state.opened().generation == 4)
      #expect(await state.loadError() == nil)
    }
  }

  @Test func `The first state after a removal by hand is later than the pin`() async throws {
    try await PinnedState.with { state in
      _ = try await state.save(1, 2)
      try FileManager.default.removeItem(atPath: state.directory.state.path)
      let store = state.launch
      #expect(try await store.load() == .absent)
      _ = try await state.save(3, in: store)
      #expect(try state.opened().generation == 3)
      #expect(await state.loadError() == nil)
    }
  }

  @Test func `The state that replaces a damaged one has the next generation`() async throws {
    try await PinnedState.with { state in
      let files = try await state.save(1, 2)
      try state.directory.write(Data("no state".utf8), to: state.path)
      let store = state.launch
      let error = await #expect(throws: RestorationError.self) { _ = try await store.load() }
      #expect(error?.code == .damaged)
      try await store.save([3], previous: .setAside)
      #expect(try state.opened().generation == 3)
      try state.directory.write(files[1], to: state.path)
      #expect(await state.loadError()?.code == .staleState)
    }
  }
}

@MainActor
@Suite struct `A pin` {
  @Test func `A state without a pin is accepted, and gets a pin of what was found`() async throws {
    try await PinnedState.with { state in
      let files = try await state.save(1, 2)
      state.pins.pins = [:]
      let store = state.launch
      #expect(store.freshness == .unverified)
      #expect(try await store.load() == .archive([2], failedLaunchCount: 0))
      #expect(store.freshness == .unverified)
      #expect(try state.pin == state.opened().contentPin())
      try state.directory.write(files[0], to: state.path)
      #expect(await state.loadError()?.code == .staleState)
    }
  }

  @Test
  func `A state is neither restored nor overwritten while its pin cannot be read`() async throws {
    try await PinnedState.with { state in
      let files = try await state.save(1)
      state.pins.setReachable(false)
      let store = state.launch
      let error = await #expect(throws: RestorationError.self) { _ = try await store.load() }
      #expect(error?.code == .freshnessUnavailable)
      #expect(error?.message == "The server is not reachable; try again later.")
      let refused = await #expect(throws: RestorationError.self) {
        _ = try await state.save(2)
      }
      #expect(refused?.code == .freshnessUnavailable)
      #expect(try state.directory.contents(state.path) == files[0])
      state.pins.setReachable(true)
      #expect(try await store.load() == .archive([1], failedLaunchCount: 0))
    }
  }

  @Test
  func `A save writes the state but throws if the pin cannot be kept, and a later load keeps it`()
    async throws
  {
    try await PinnedState.with { state in
      let store = state.launch
      _ = try await state.save(1, in: store)
      let first = state.pin
      state.pins.setReachable(true, isWritable: false)
      for number in UInt8(2)...3 {
        let error = await #expect(throws: RestorationError.self) {
          _ = try await state.save(number, in: store)
        }
        #expect(error?.code == .pinNotKept)
        #expect(
          error?.message.hasPrefix("The state at \(state.path) was saved") == true
            && error?.message.hasSuffix("try again later.") == true)
        #expect(try state.opened().read() == [number])
        #expect(try state.opened().generation == UInt64(number))
      }
      #expect(state.pin == first)
      // The state is later than its pin: it opens, and is pinned as soon as pins can be written.
      #expect(await state.loadError() == nil)
      #expect(state.pin == first)
      state.pins.setReachable(true)
      let next = state.launch
      #expect(try await next.load() == .archive([3], failedLaunchCount: 0))
      #expect(next.freshness == .notOlder)
      #expect(try state.pin == state.opened().contentPin())
    }
  }

  @Test
  func `A removal whose pin cannot be kept throws, and the next save keeps the pin`() async throws {
    try await PinnedState.with { state in
      let store = state.launch
      let files = try await state.save(1, in: store)
      state.pins.setReachable(true, isWritable: false)
      let error = await #expect(throws: RestorationError.self) { try await store.remove() }
      #expect(error?.code == .pinNotKept && error?.message.contains("was removed") == true)
      #expect(try state.directory.names() == ["key"])
      state.pins.setReachable(true)
      _ = try await state.save(2, in: store)
      try state.directory.write(files[0], to: state.path)
      #expect(await state.loadError()?.code == .staleState)
    }
  }

  @Test
  func `A state that is put back after a removal is not overwritten, even if the pin was not kept`()
    async throws
  {
    try await PinnedState.with { state in
      let store = state.launch
      let files = try await state.save(1, in: store)
      // The same file is put back, so only the store itself knows that it was removed.
      let copy = state.directory.url.appendingPathComponent("copy").path
      try FileManager.default.linkItem(atPath: state.path, toPath: copy)
      state.pins.setReachable(true, isWritable: false)
      #expect(await restorationCode { try await store.remove() } == .pinNotKept)
      state.pins.setReachable(true)
      await store.suspend()
      try FileManager.default.moveItem(atPath: copy, toPath: state.path)
      let error = keepsakeError { try store.saveNow([2], previous: .replace) }
      #expect(error?.code == .stateChanged)
      #expect(try state.directory.contents(state.path) == files[0])
    }
  }

  @Test func `A pin that cannot be read is not replaced by a removal`() async throws {
    try await PinnedState.with { state in
      let store = state.launch
      _ = try await state.save(1, in: store)
      let pin = state.pin
      state.pins.setReachable(false)
      #expect(await restorationCode { try await store.remove() } == .pinNotKept)
      state.pins.setReachable(true)
      #expect(pin != nil && state.pin == pin)
    }
  }

  @Test func `A removal where there was never a state makes no pin`() async throws {
    try await PinnedState.with { state in
      try DurableFile.createDirectory(at: state.directory.state.path)
      try await state.launch.remove()
      #expect(state.pins.pins.isEmpty)
    }
  }

  @Test func `Each session has its own pin, which is removed with the session`() async throws {
    try await PinnedState.with { state in
      let sessions = StateSessions(in: state.directory.state, freshnessStore: state.pins)
      let names = try ["one", "two", "three"].map { try SessionIdentifier($0) }
      var open: [StateSession] = []
      for name in names {
        let session = try await sessions.open(name)
        for number in UInt8(1)...2 { try await session.save([number], previous: .replace) }
        open.append(session)
      }
      let purposes = names.map { StatePurpose(application: "", session: $0) }
      #expect(Set(state.pins.pins.keys) == Set(purposes))
      try await open[0].discard()
      #expect(Set(state.pins.pins.keys) == Set(purposes[1...]))
      open = []
      try await sessions.remove(names[1])
      #expect(Set(state.pins.pins.keys) == Set(purposes[2...]))
      // Reading the archive of a session also checks its pin.
      var later = try #require(state.pin(of: purposes[2])).bytes
      later[32] = 9
      state.pins.pins[purposes[2]] = try SealedFilePin(bytes: later)
      let error = await #expect(throws: KeepsakeError.self) {
        _ = try await sessions.archive(of: names[2])
      }
      #expect(error?.code == .staleState)
      let expired = StateSessions(
        in: state.directory.state, freshnessStore: state.pins,
        policy: SessionPolicy(maximumCount: 0))
      try await expired.prune()
      #expect(state.pins.pins.isEmpty)
    }
  }
}

extension PinnedState {
  fileprivate func pin(of purpose: StatePurpose) -> SealedFilePin? { pins.pins[purpose] }
}

extension `A state whose pin is kept` {
  @Test func `A removal keeps a pin even if the earlier pin was lost`() async throws {
    try await PinnedState.with { state in
      let store = state.launch
      _ = try await state.save(1, 2, in: store)
      state.pins.pins = [:]
      try await store.remove()
      #expect(state.pin?.generation == 3)
    }
  }
}
