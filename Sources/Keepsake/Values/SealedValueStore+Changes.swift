import KeepsakeFiles

extension SealedValueStore {
  /// The value as it is now, and then after each change of the file, by this process or another one.
  ///
  /// ```swift
  /// for try await settings in store.values {
  ///   show(settings)
  /// }
  /// ```
  ///
  /// A loop that is slower than the changes gets the newest value and misses those between. The system reports changes
  /// that are made on this machine. Where it reports none, the file is checked once per second, and on a network drive
  /// once per ten seconds.
  ///
  /// The sequence ends when its task is cancelled, and with the first error of a read; to continue, loop again. Reading
  /// the sequence does not count as a `load()`: a `save(_:)` of an older value is still refused.
  ///
  /// Its errors are those of ``load()-7v3c5``, and `storeUnavailable` when the file cannot be watched.
  public var values: some AsyncSequence<Value, KeepsakeError> & Sendable {
    SealedValueChanges(store: self)
  }
}

/// The values of a ``SealedValueStore``, one after each change; ``SealedValueStore/values`` makes the sequence.
struct SealedValueChanges<Value: Codable & Sendable>: AsyncSequence, Sendable {
  typealias Element = Value
  typealias Failure = KeepsakeError

  let store: SealedValueStore<Value>

  /// Makes an iterator, whose first value is the present one.
  func makeAsyncIterator() -> Iterator { Iterator(store: store) }

  /// Watches the file while it exists.
  struct Iterator: AsyncIteratorProtocol {
    private struct Watched {
      let watch: FileWatch
      var signals: AsyncStream<Void>.Iterator
      /// The version of the file whose value was returned last.
      var version: FileVersion?
    }

    private let store: SealedValueStore<Value>
    private var watched: Watched?
    /// True after an error or a cancellation, and while a call of `next` runs.
    private var hasEnded = false

    init(store: SealedValueStore<Value>) { self.store = store.separateStore() }

    /// Waits for the next value.
    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(KeepsakeError) -> Value? {
      if hasEnded { return nil }
      hasEnded = true
      if watched == nil {
        // The watch begins before the first read, so that no change after it is missed.
        watched = try watchedFile()
        return try await read()
      }
      while await watched?.signals.next(isolation: actor) != nil {
        let version = watched?.version
        let value = try await read()
        if watched?.version != version { return value }
        hasEnded = true
      }
      return nil
    }

    /// Waits for the next value, as the overload with an actor does.
    mutating func next() async throws(KeepsakeError) -> Value? {
      try await next(isolation: nil)
    }

    private func watchedFile() throws(KeepsakeError) -> Watched {
      let (stream, continuation) = AsyncStream<Void>.makeStream(
        bufferingPolicy: .bufferingNewest(1))
      let watch = try KeepsakeError.access { () throws(FileError) in
        try FileWatch(of: store.path) { continuation.yield() }
      }
      return Watched(watch: watch, signals: stream.makeAsyncIterator())
    }

    private nonisolated(nonsending) mutating func read() async throws(KeepsakeError) -> Value {
      // The version is read first, so that a change in between is read again and not missed.
      let version = try KeepsakeError.access { () throws(FileError) in
        try DurableFile.version(of: store.path)
      }
      let value = try await store.load()
      watched?.version = version
      hasEnded = false
      return value
    }
  }
}
