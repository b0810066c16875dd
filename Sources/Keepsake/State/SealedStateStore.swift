import Dispatch
public import KeepsakeRestoration
import KeepsakeSeal
import Synchronization

/// A restoration store that keeps the archive in a sealed file of a state directory.
///
/// Every load and save runs on a thread of the store's own, so that neither Argon2 nor a slow disk
/// holds up the app. A save replaces the file durably or leaves it as it was. What could not be read
/// is never overwritten: a damaged archive is set aside under another name by the save that replaces
/// it, and a missing key beside an archive makes no new key.
public final class SealedStateStore: RestorationStore {
  /// The directory of the state.
  public let directory: StateDirectory
  private static let markByteLimit = 64
  private let keyStore: any KeyStore
  private let queue = DispatchQueue(label: "Keepsake.SealedStateStore")
  /// The generation of the archive that was last read or written.
  private let generation = Mutex<UInt64>(0)

  /// Creates a store; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - directory: The directory of the state.
  ///   - keyStore: Where the key is kept; by default in a key file in the directory.
  public init(directory: StateDirectory, keyStore: (any KeyStore)? = nil) {
    self.directory = directory
    self.keyStore = keyStore ?? KeyFileStore(path: directory.keyPath)
  }

  /// Reads and opens the sealed archive.
  ///
  /// - Returns: The archive's bytes, or why there are none.
  /// - Throws: `RestorationError` when the key cannot be had, the file is damaged, or the directory
  ///   cannot be read.
  public func load() async throws(RestorationError) -> StoredState {
    try await onQueue { () throws(KeepsakeError) in try self.loadNow() }
  }

  /// Seals an archive and replaces the file durably.
  ///
  /// - Parameters:
  ///   - archive: The archive's bytes.
  ///   - previous: What to do with the file that is replaced.
  /// - Throws: `RestorationError`; the file is then what it was before.
  public func save(
    _ archive: [UInt8], previous: PreviousState
  ) async throws(RestorationError) {
    try await onQueue { () throws(KeepsakeError) in
      try self.saveNow(archive, previous: previous)
    }
  }

  /// Removes the sealed archive, if there is one; the key stays.
  ///
  /// - Throws: `RestorationError`.
  public func remove() async throws(RestorationError) {
    try await onQueue { () throws(KeepsakeError) in
      try Self.access { () throws(SealError) in
        if try DurableFile.kind(of: self.directory.archivePath) != .absent {
          try DurableFile.remove(at: self.directory.archivePath)
        }
      }
    }
  }

  /// Starts over when the key is lost: sets archive and key aside, so that the next save makes a new
  /// key.
  ///
  /// Nothing else ever makes a new key beside an archive. What was set aside stays in the directory
  /// until the user removes it; with the old key it can still be opened. A coordinator has to
  /// `prepare()` again afterwards.
  ///
  /// - Throws: `RestorationError` when the directory cannot be written.
  public func reset() async throws(RestorationError) {
    try await onQueue { () throws(KeepsakeError) in
      let kind = try Self.access { () throws(SealError) in
        try DurableFile.kind(of: self.directory.archivePath)
      }
      if kind != .absent { _ = try self.setAside("set-aside", keepingOriginal: false) }
      try self.keyStore.setKeyAside()
      try self.removeMark()
    }
  }

  /// Moves the sealed archive to a name beside it, and takes the mark of a restore away.
  ///
  /// - Returns: The path of the archive now.
  /// - Throws: `RestorationError` when the directory cannot be written.
  public func setAside() async throws(RestorationError) -> String {
    try await onQueue { () throws(KeepsakeError) in
      let refuge = try self.setAside("interrupted", keepingOriginal: false)
      try self.removeMark()
      return refuge
    }
  }

  /// Leaves the mark of a restore in the directory: a file with the number of the attempt.
  ///
  /// - Parameter attempt: The number of the attempt, from 1.
  /// - Throws: `RestorationError` when the directory cannot be written.
  public func beginRestoration(attempt: Int) throws(RestorationError) {
    let mark = Array("\(attempt)\n".utf8)
    try Self.reporting { () throws(KeepsakeError) in
      try Self.access { () throws(SealError) in
        try DurableFile.replace(at: directory.restorationMarkPath, with: mark.span)
      }
    }
  }

  /// Takes the mark of a restore away.
  ///
  /// - Throws: `RestorationError` when the directory cannot be written.
  public func endRestoration() throws(RestorationError) {
    try Self.reporting { () throws(KeepsakeError) in try self.removeMark() }
  }

  private func removeMark() throws(KeepsakeError) {
    let path = directory.restorationMarkPath
    try Self.access { () throws(SealError) in
      if try DurableFile.kind(of: path) != .absent { try DurableFile.remove(at: path) }
    }
  }
}

extension SealedStateStore {
  private func loadNow() throws(KeepsakeError) -> StoredState {
    let path = directory.archivePath
    let kind = try Self.access { () throws(SealError) in try DurableFile.kind(of: path) }
    guard kind != .absent else {
      try removeMark()
      return .absent
    }
    let failedLaunchCount = try markedAttempt()
    let key = try keyStore.existingKey()
    do throws(SealError) {
      let file = try SealedFile.open(path, keys: [key])
      generation.withLock { $0 = file.generation }
      return .archive(try file.read(), failedLaunchCount: failedLaunchCount)
    } catch {
      throw KeepsakeError(opening: error)
    }
  }

  /// The attempt that the mark tells of, or 0 when there is none.
  private func markedAttempt() throws(KeepsakeError) -> Int {
    let path = directory.restorationMarkPath
    let mark = try Self.access { () throws(SealError) -> [UInt8]? in
      if try DurableFile.kind(of: path) == .absent { return nil }
      return try DurableFile.read(at: path, upTo: Self.markByteLimit)
    }
    guard let mark else { return 0 }
    // A mark that cannot be read tells of one attempt at least.
    let digits = mark.prefix { $0 != UInt8(ascii: "\n") }
    return max(1, Int(String(decoding: digits, as: UTF8.self)) ?? 1)
  }

  private func saveNow(
    _ archive: [UInt8], previous: PreviousState
  ) throws(KeepsakeError) {
    let present = try Self.access { () throws(SealError) in
      try DurableFile.createDirectory(at: directory.path, mode: 0o700)
      return try DurableFile.kind(of: directory.archivePath)
    }
    let key =
      present == .absent ? try keyStore.existingOrNewKey() : try keyStore.existingKey()
    let keepsPrevious = previous == .setAside && present != .absent
    let refuge = keepsPrevious ? try setAside("damaged", keepingOriginal: true) : nil
    var options = SealOptions()
    options.generation = generation.withLock { $0 &+ 1 }
    do throws(SealError) {
      try SealedFile.seal(
        archive.span, to: directory.archivePath, keys: [key], options: options)
    } catch {
      // The file is still in its own place, unless it was replaced after all.
      if let refuge, error.code != .durabilityUnknown { try? DurableFile.remove(at: refuge) }
      throw KeepsakeError(.storeUnavailable, error)
    }
    generation.withLock { [options] in $0 = options.generation }
  }

  private func setAside(
    _ reason: String, keepingOriginal: Bool
  ) throws(KeepsakeError) -> String {
    try Self.access { () throws(SealError) in
      let refuge = try DurableFile.freePath(beside: directory.archivePath, reason)
      if keepingOriginal {
        try DurableFile.preserve(directory.archivePath, as: refuge)
      } else {
        try DurableFile.move(from: directory.archivePath, to: refuge)
      }
      return refuge
    }
  }

  private static func access<T>(
    _ work: () throws(SealError) -> T
  ) throws(KeepsakeError) -> T {
    do throws(SealError) {
      return try work()
    } catch {
      throw KeepsakeError(.storeUnavailable, error)
    }
  }

  private static func reporting<T>(
    _ work: () throws(KeepsakeError) -> T
  ) throws(RestorationError) -> T {
    do throws(KeepsakeError) {
      return try work()
    } catch {
      let code: RestorationError.Code =
        switch error.code {
        case .keyUnavailable: .keyUnavailable
        case .damaged: .damaged
        default: .storeUnavailable
        }
      throw RestorationError(code, error.message)
    }
  }

  private func onQueue<T: Sendable>(
    _ work: @escaping @Sendable () throws(KeepsakeError) -> T
  ) async throws(RestorationError) -> T {
    let result = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(
          returning: Result<T, RestorationError> { () throws(RestorationError) in
            try Self.reporting(work)
          })
      }
    }
    return try result.get()
  }
}
