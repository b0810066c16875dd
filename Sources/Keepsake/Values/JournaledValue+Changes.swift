import KeepsakeFiles
import KeepsakeJournal

extension JournaledValue {
  /// The value as it is now, and then after each change, by this process or another one.
  ///
  /// ```swift
  /// for try await library in library.values {
  ///   show(library)
  /// }
  /// ```
  ///
  /// A loop that is slower than the changes gets the newest value and misses those between. The files are looked at 20
  /// times per second. The sequence ends when its task is cancelled, and with the first error of a read; to continue,
  /// loop again.
  public var values: some AsyncSequence<Value, KeepsakeError> & Sendable {
    JournaledValueChanges(source: self)
  }

  /// The end of the journal, which differs after each change.
  nonisolated(nonsending) fileprivate func extent() async throws(KeepsakeError)
    -> SharedJournal.Extent
  {
    let path = path
    return try await SealedValue.onQueue { () throws(KeepsakeError) in
      try KeepsakeError.access { () throws(JournalError) in try SharedJournal(path).extent() }
    }
  }
}

extension JournaledValue {
  /// The value, and the number of changes in it.
  nonisolated(nonsending) fileprivate func counted() async throws(KeepsakeError)
    -> (Value, UInt64)
  {
    try await SealedValue.onQueue { () throws(KeepsakeError) in
      let current = try self.current()
      return (current.value, current.changeCount)
    }
  }
}

/// The values of a ``JournaledValue``, one after each change; ``JournaledValue/values`` makes it.
struct JournaledValueChanges<
  Value: Codable & Sendable, Change: Sendable
>: AsyncSequence, Sendable {
  typealias Element = Value
  typealias Failure = KeepsakeError

  let source: JournaledValue<Value, Change>

  /// Makes an iterator, whose first value is the present one.
  func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  /// Looks at the files of the value.
  struct Iterator: AsyncIteratorProtocol {
    private static var pollInterval: Duration { .milliseconds(50) }

    private let source: JournaledValue<Value, Change>
    /// The end of the journal before the last value was read; nil before the first one.
    private var extent: SharedJournal.Extent?
    /// The number of changes in the last value.
    private var changeCount: UInt64?
    /// True after an error or a cancellation, and while a call of `next` runs.
    private var hasEnded = false

    init(source: JournaledValue<Value, Change>) { self.source = source }

    /// Waits for the next value.
    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(KeepsakeError) -> Value? {
      if hasEnded { return nil }
      hasEnded = true
      while true {
        // In this order a change between the two is read again, and not missed.
        let found = try await source.extent()
        if found != extent {
          extent = found
          let (value, count) = try await source.counted()
          // A compaction begins a file, and changes nothing.
          if count != changeCount {
            changeCount = count
            hasEnded = false
            return value
          }
        }
        try? await Task.sleep(for: Self.pollInterval)
        if Task.isCancelled { return nil }
      }
    }

    /// Waits for the next value, as the overload with an actor does.
    mutating func next() async throws(KeepsakeError) -> Value? {
      try await next(isolation: nil)
    }
  }
}
