import Foundation
import Synchronization
import Testing

@testable import Keepsake

// A call that fails after its point of no return says so, and these tests check the state that it leaves.
@MainActor
@Suite struct `A change that fails when it is half done` {
  /// Pins that a test makes unreadable or read-only.
  private final class StuckPins: FreshnessStore {
    let isReadable = Mutex(true)
    let isWritable = Mutex(true)
    private let pins = Mutex<[StatePurpose: SealedFilePin]>([:])

    func pin(of purpose: StatePurpose) throws(KeepsakeError) -> SealedFilePin? {
      guard isReadable.withLock({ $0 }) else { throw Self.failure }
      return pins.withLock { $0[purpose] }
    }
    func keep(_ pin: SealedFilePin, of purpose: StatePurpose) throws(KeepsakeError) {
      guard isWritable.withLock({ $0 }) else { throw Self.failure }
      pins.withLock { $0[purpose] = pin }
    }
    func removePin(of purpose: StatePurpose) throws(KeepsakeError) {}

    private static let failure = KeepsakeError(
      .freshnessUnavailable, "There is no space left for the pin.",
      underlyingError: SealError(.noSpace, path: "/pins/p", systemError: 28, systemCall: "pwrite"))
  }

  @Test
  func `A reset whose last step fails says what was set aside, including the key`() async throws {
    try await TemporaryDirectory.with { directory in
      let pins = StuckPins()
      let store = SealedStateStore(directory: directory.state, freshnessStore: pins)
      try await store.save([1], previous: .replace)
      pins.isWritable.withLock { $0 = false }
      let error = await thrownError { try store.resetNow() }
      let (archive, key) = (directory.state.archivePath, directory.state.keyPath)
      #expect(error?.code == .pinNotKept)
      let message = error?.message ?? ""
      #expect(message.contains("\(archive).set-aside-1, \(key).set-aside-1"), "\(message)")
      #expect(!message.contains("unchanged"), "\(message)")
      #expect(message.hasSuffix("Reset again to continue."))
      #expect(try directory.names() == ["key.set-aside-1", "state.keepsake.set-aside-1"])
      pins.isWritable.withLock { $0 = true }
      try store.resetNow()
      try await store.save([2], previous: .replace)
    }
  }

  @Test(arguments: [true, false])
  func `A removal whose pin cannot be read or kept says that the state was removed`(isRead: Bool)
    async throws
  {
    try await TemporaryDirectory.with { directory in
      let pins = StuckPins()
      let store = SealedStateStore(directory: directory.state, freshnessStore: pins)
      try await store.save([1], previous: .replace)
      if isRead {
        pins.isReadable.withLock { $0 = false }
      } else {
        pins.isWritable.withLock { $0 = false }
      }
      let error = await thrownError { try store.removeNow() }
      #expect(error?.code == .pinNotKept)
      #expect(error?.message.contains("was removed") == true)
      #expect(error?.message.contains("unchanged") == false)
      #expect(try directory.names() == ["key"])
    }
  }

  @Test func `A session that could not be discarded stays usable`() async throws {
    try await TemporaryDirectory.with { directory in
      let identifier = try await directory.save("first")
      let session = try await directory.sessions.open(identifier)
      #expect(try await directory.text(in: session) == "first")
      await session.suspend()
      // This process acts as another one, with its own sessions.
      try await directory.save("second", in: identifier)
      #expect(await code { try await session.discard() } == .stateChanged)
      #expect(try await directory.text(in: session) == "second")
      try await session.save(Array("third".utf8), previous: .replace)
      #expect(try await session.discard() == 0)
      #expect(await restorationCode { try await session.load() } == .storeUnavailable)
      #expect(try directory.sessionNames() == [])
    }
  }

  @Test func `A session that could not be erased keeps what it saves later`() async throws {
    try await TemporaryDirectory.with { directory in
      let identifier = SessionIdentifier()
      do {
        let session = try await directory.sessions.open(identifier)
        try await session.save(Array("first".utf8), previous: .replace)
        // A folder has the name of the mark, and cannot be removed.
        let odd = directory.path("restoring", of: identifier)
        try FileManager.default.createDirectory(
          atPath: odd + "/folder", withIntermediateDirectories: true)
        let error = await #expect(throws: RestorationError.self) { try await session.remove() }
        #expect(error?.message.contains("is marked as discarded, and erased in part") == true)
        let refusal = await #expect(throws: RestorationError.self) {
          try await session.save(Array("second".utf8), previous: .replace)
        }
        #expect(refusal?.message.contains("is marked as discarded") == true)
        try FileManager.default.removeItem(atPath: odd)
        try await session.save(Array("third".utf8), previous: .replace)
      }
      let again = try await directory.sessions.open(identifier)
      #expect(try await directory.text(in: again) == "third")
    }
  }

  @Test
  func `A migration reports its refusal first, and then its failure to keep the file`() throws {
    let directory = FileManager.default.temporaryDirectory.path + "/refused-" + UUID().uuidString
    try DurableFile.createDirectory(at: directory)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let key = try SealKey.generate()
    // The name of the file is so long that no suffix can be added.
    let path = directory + "/" + String(repeating: "a", count: 246) + ".keepsake"
    try SealedArchive(version: "12").seal(to: path, keys: [key])
    let plan = try SealedArchive.plan()
    let error = #expect(throws: KeepsakeError.self) {
      try plan.migrateFile(
        at: path, keys: [key], options: FileMigrationOptions(keepsRefusedFiles: true))
    }
    #expect(error?.code == .migrationRefused)
    #expect(error?.message.contains("It may not have been kept under another name: ") == true)
    #expect(error?.message.hasSuffix(".") == true && error?.message.hasSuffix("..") == false)
  }

  @Test
  func `The error of a lock says that another part of this program may hold it`() async throws {
    try await TemporaryDirectory.with { directory in
      let path = directory.url.path + "/value"
      let store = SealedValueStore(path: path, key: .key(try SealKey.generate()), default: 0)
      let lock = try FileLock(at: path + ".lock")
      let error = await thrownError { try store.save(1) }
      withExtendedLifetime(lock) {}
      #expect(error?.code == .stateInUse)
      #expect(
        error?.message.contains("another process or another part of this program has had it locked")
          == true)
    }
  }
}
