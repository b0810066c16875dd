#if Remote
  import Dispatch
  public import Keepsake
  import Synchronization

  /// A restoration store that keeps the state in an object store, with a sealed copy on this machine.
  ///
  /// ```swift
  /// let store = try RemoteStateStore(
  ///   directory: try .user("com.example.notes"),
  ///   in: bucket, key: "users/17/state.keepsake",
  ///   for: [.x25519(laptop), .x25519(phone)],
  ///   identities: [.x25519(mine)])
  /// let coordinator = RestorationCoordinator(
  ///   store: store, configuration: configuration)
  /// ```
  ///
  /// - Each save first replaces the local copy durably, and then uploads the state, sealed for all recipients. When the
  ///   server cannot be reached, the save succeeds, ``status`` is `unsent`, and the next save or ``synchronize()`` uploads.
  /// - A load takes the state of another machine when this one has saved nothing since their last exchange.
  /// - When both have saved, there is a conflict: nothing is merged and nothing overwritten. ``status`` has the other
  ///   state, and the app decides by ``resolve(_:)``. Until then saves stay on this machine.
  /// - An upload requires the version that was last seen, so two machines never overwrite each other. If the store
  ///   ignores such conditions, nothing is uploaded unless the app says that it is the only writer.
  /// - A remote state that is older than the last one seen here is refused, as is one that no identity opens. The record
  ///   of that is beside the local copy; a `FreshnessStore` keeps it elsewhere too, so that a directory which was put back
  ///   from a copy accepts no older remote state.
  /// - A local copy that is older than the last exchange, because it was put back, is a conflict too and is not uploaded
  ///   until the app decides.
  ///
  /// Keys never leave the machine: the local copy has a key of its own, and another machine opens the remote state by its
  /// own identity or by a passphrase. Spec/remote.md defines the object and the files.
  public final class RemoteStateStore: RestorationStore {
    /// The machines that write the remote state.
    public enum Writers: Sendable {
      /// Several, so the store has to keep conditions; a probe checks that before the first upload.
      case several
      /// Only this one: an upload replaces whatever is there.
      case one
    }

    /// A remote state that differs from the local one: both machines have saved, or the local copy is an older one that was
    /// put back.
    public struct Conflict: Sendable {
      /// The archive of the remote state.
      public let archive: [UInt8]
      /// The number of saves that led to it.
      public let generation: UInt64
      let content: ObjectContent
      let pin: SealedFilePin
    }

    /// The relation of the local state to the remote one.
    public enum Status: Sendable {
      /// Nothing was loaded or saved yet.
      case unknown
      /// Both are the same.
      case current
      /// The local state is newer; the error is the reason, if an upload or a load has failed.
      case unsent(RemoteError?)
      /// The remote state is newer; the next load takes it.
      case behind
      /// Both have changed, or an older local copy was put back; the app has to decide.
      case conflict(Conflict)
      /// The remote state, or the store, is refused; nothing is uploaded until a later load.
      case refused(RemoteError)
    }

    /// The decision about a conflict.
    public enum Choice: Sendable {
      /// Keeps the state of this machine, and uploads it; the other one is set aside here.
      case keepMine
      /// Takes the state of the other machine; the local one is set aside. The app has to prepare again.
      case takeTheirs
    }

    struct Knowledge {
      var status = Status.unknown
      var record: SyncRecord?
      /// The version of the object with the state that the record has seen; nil if there is no object.
      var version: ObjectVersion?
      /// True when `version` is known, and no request has failed since.
      var knowsVersion = false
      /// The identifier in the pin that the app's store has.
      var pinnedFileID: [UInt8]?
    }

    /// The largest remote state that is read, in bytes.
    static let byteLimit = 64 << 20

    /// The object of the state.
    public let object: RemoteObject
    /// The directory of the local copy.
    public var directory: StateDirectory { local.directory }
    let bucket: ObjectStore
    let local: SealedStateStore
    let recipients: [SealRecipient]
    let identities: [SealIdentity]
    let writers: Writers
    let freshnessStore: (any FreshnessStore)?
    let knowledge = Mutex(Knowledge())
    private let queue = DispatchQueue(label: "Keepsake.RemoteStateStore")

    /// Creates a store; nothing is read, written or requested yet.
    ///
    /// - Parameters:
    ///   - directory: The directory of the local copy, which only this app uses.
    ///   - bucket: The bucket.
    ///   - key: The key of the object.
    ///   - recipients: The recipients of the remote state: those of all machines, this one included.
    ///   - identities: The identities of this machine.
    ///   - keyStore: The store of the local copy's key; by default a key file in the directory.
    ///   - writers: The machines that write the remote state.
    ///   - freshnessStore: The store of the remote state's pin, which no other store uses for the purpose of the directory;
    ///     by default the pin is only in the directory. While it cannot be read, ``status`` is `refused`.
    /// - Throws: ``RemoteError`` with `invalidAddress`.
    public init(
      directory: StateDirectory, in bucket: ObjectStore, key: String,
      for recipients: [SealRecipient], identities: [SealIdentity],
      keyStore: (any KeyStore)? = nil, writers: Writers = .several,
      freshnessStore: (any FreshnessStore)? = nil
    ) throws(RemoteError) {
      self.bucket = bucket
      object = try bucket.object(key)
      local = SealedStateStore(directory: directory, keyStore: keyStore)
      self.recipients = recipients
      self.identities = identities
      self.writers = writers
      self.freshnessStore = freshnessStore
    }

    /// The relation of the local state to the remote one, as of the last load, save or ``synchronize()``.
    public var status: Status { knowledge.withLock { $0.status } }

    /// The reason why nothing can be saved, when this user cannot write the directory.
    public var savingObstacle: String? { local.savingObstacle }

    /// Reads the local state, and takes the remote one if only that has changed.
    ///
    /// A server that cannot be reached is not an error: the local state is then returned, and ``status`` says why.
    ///
    /// - Returns: The archive's bytes, or `absent`.
    /// - Throws: `RestorationError`, as `SealedStateStore.load()` does for the local copy.
    public nonisolated(nonsending) func load() async throws(RestorationError) -> StoredState {
      try await onQueue { () throws(KeepsakeError) in try self.loadNow() }
    }

    /// Replaces the local state durably, and uploads it.
    ///
    /// - Parameters:
    ///   - archive: The archive's bytes.
    ///   - previous: Says whether the replaced local state is set aside.
    /// - Throws: `RestorationError`, as `SealedStateStore.save(_:previous:)` does for the local copy; with `pinNotKept` when
    ///   the state was uploaded and its pin was not kept.
    public nonisolated(nonsending) func save(
      _ archive: [UInt8], previous: PreviousState
    ) async throws(RestorationError) {
      try await onQueue { () throws(KeepsakeError) in try self.saveNow(archive, previous: previous)
      }
    }

    /// Removes the remote state, unless another machine has changed it, and the local one.
    ///
    /// A bucket that keeps versions keeps the earlier ones.
    ///
    /// - Throws: `RestorationError` when the server cannot be reached; nothing is then removed here.
    public nonisolated(nonsending) func remove() async throws(RestorationError) {
      try await onQueue { () throws(KeepsakeError) in try self.removeNow() }
    }

    /// Renames the local copy in its directory; the remote state stays, and is taken again only when it has changed.
    ///
    /// - Returns: The new path of the local copy.
    /// - Throws: `RestorationError` when the directory cannot be written.
    public nonisolated(nonsending) func setAside() async throws(RestorationError) -> String {
      try await onQueue { () throws(KeepsakeError) in try self.local.setInterruptedAside() }
    }

    /// Writes the mark of a restore into the local directory.
    ///
    /// - Parameter attempt: The number of the attempt, from 1.
    /// - Throws: `RestorationError` when the directory cannot be written.
    public func beginRestoration(attempt: Int) throws(RestorationError) {
      try local.beginRestoration(attempt: attempt)
    }

    /// Removes the mark of a restore.
    ///
    /// - Throws: `RestorationError` when the directory cannot be written.
    public func endRestoration() throws(RestorationError) { try local.endRestoration() }

    /// Compares the local state with the remote one, and uploads it if only the local one has changed.
    ///
    /// A remote state that has changed is not taken, since the app may have restored the local one: the status is then
    /// `conflict` if this machine has saved too, and otherwise `behind`.
    ///
    /// - Returns: The new ``status``.
    /// - Throws: `RestorationError` when the local copy cannot be read.
    @discardableResult
    public nonisolated(nonsending) func synchronize() async throws(RestorationError) -> Status {
      try await onQueue { () throws(KeepsakeError) in try self.synchronizeNow() }
      return status
    }

    /// Decides about a conflict; without one nothing happens.
    ///
    /// The other state is set aside in the local directory and can be opened by its key or identity.
    ///
    /// - Parameter choice: The decision.
    /// - Returns: The new ``status``: another `conflict` if the other machine has saved again meanwhile.
    /// - Throws: `RestorationError` when the local copy cannot be read or written.
    @discardableResult
    public nonisolated(nonsending) func resolve(
      _ choice: Choice
    ) async throws(RestorationError) -> Status {
      try await onQueue { () throws(KeepsakeError) in try self.resolveNow(choice) }
      return status
    }

    nonisolated(nonsending) private func onQueue<T: Sendable>(
      _ work: @escaping @Sendable () throws(KeepsakeError) -> T
    ) async throws(RestorationError) -> T {
      try await BlockingWork.run(on: queue) { () throws(RestorationError) in
        try RestorationError.reporting(work)
      }
    }
  }
#endif
