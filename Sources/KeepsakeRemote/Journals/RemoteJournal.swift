#if Remote
  public import Keepsake

  /// The files of a journal in an object store, read by ranges.
  ///
  /// ```swift
  /// let journal = try await RemoteJournal.open(
  ///   in: store, prefix: "logs/mine", with: .key(key))
  /// let last = try await journal.perform {
  ///   try $0.last(20, as: .records)
  /// }
  /// ```
  ///
  /// Use it to look at entries of a large journal that ``JournalUploader`` has uploaded; only the parts that are needed
  /// are fetched. The files are those that existed when it was opened. The store is not trusted: all bytes are
  /// verified, as those of a local journal are. The store could leave out the last files; a pin of the journal
  /// reveals that.
  public final class RemoteJournal: Sendable {
    /// The journal, at the address of its files.
    ///
    /// Its iterations read on threads of their own. Its functions block their thread while bytes are fetched; call
    /// them in ``perform(_:)``. A request that fails is a `JournalError` with the code `sourceFailed`, whose
    /// `sealError` has the ``RemoteError`` as its `underlyingError`.
    public let directory: JournalDirectory
    private let counter: TrafficCounter
    private let cancellation: Cancellation

    /// The requests for bytes of the files so far, and these bytes; the requests that listed the files do not count.
    public var traffic: RemoteSource.Traffic { counter.traffic }

    private init(_ storage: RemoteJournalStorage, keys: JournalKeys, _ cancellation: Cancellation) {
      directory = JournalDirectory(at: storage.address, in: storage, with: keys)
      counter = storage.counter
      self.cancellation = cancellation
    }

    /// Lists the files of a journal; none of them is read yet.
    ///
    /// - Parameters:
    ///   - store: The bucket.
    ///   - prefix: The beginning of the keys, up to a slash, which may be left out.
    ///   - keys: Keys with an identity that reads the journal.
    /// - Returns: The journal.
    /// - Throws: ``RemoteError``: `absent` when there are no files of a journal, and others.
    public static func open(
      in store: ObjectStore, prefix: String, with keys: JournalKeys
    ) async throws(RemoteError) -> RemoteJournal {
      let cancellation = Cancellation()
      return try await BlockingWork.run(cancelling: cancellation) { () throws(RemoteError) in
        let storage = try RemoteJournalStorage(store, prefix: prefix, cancellation)
        guard !storage.numbers.isEmpty else {
          throw RemoteError(
            .absent, "There are no files of a journal. Check the address.",
            request: "GET \(storage.address)")
        }
        return RemoteJournal(storage, keys: keys, cancellation)
      }
    }

    /// Runs work that reads, on a thread that may block.
    ///
    /// When the task is cancelled, requests under way end and later ones fail with `cancelled`, in this call and in all
    /// others; then open the journal anew.
    ///
    /// - Parameter work: The work, which gets the journal.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work.
    public func perform<T: Sendable>(
      _ work: @escaping @Sendable (JournalDirectory) throws -> T
    ) async throws -> T {
      let directory = directory
      return try await BlockingWork.run(cancelling: cancellation) { try work(directory) }
    }
  }
#endif
