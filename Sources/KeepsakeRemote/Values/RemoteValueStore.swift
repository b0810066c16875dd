#if Remote
  public import Keepsake
  import Synchronization

  /// Keeps one value of an app in an object store: settings that several machines share.
  ///
  /// ```swift
  /// let store = RemoteValueStore(
  ///   object: try bucket.object("users/17/settings"),
  ///   key: .recipients(
  ///     machines.map { .x25519($0) }, identities: [.x25519(mine)]),
  ///   default: Settings())
  /// try await store.update { $0.color = "green" }
  /// ```
  ///
  /// It has the functions of `SealedValueStore`, and its rules about defaults, versions and unknown keys. Without a
  /// connection each call fails, and nothing is kept on this machine; for a state that is used offline see
  /// ``RemoteStateStore``.
  ///
  /// - The object is one sealed file, padded. Its key is not sent.
  /// - Two machines do not lose each other's changes: a save requires the version that was read here. Before the first
  ///   save the store is probed, which takes about a hundred small requests for each ``ObjectStore`` value. A store that
  ///   does not keep conditions gets no value unless the app says that it is the only writer.
  /// - The operator can put an older value back. A store of values does not notice that; ``RemoteStateStore`` does.
  public final class RemoteValueStore<Value: Codable & Sendable>: Sendable {
    /// The version of the object, as far as the store knows it.
    private enum Knowledge {
      /// Nothing was read yet, or it is unknown whether the last save was executed.
      case unknown
      /// The object had this version, or was absent, when it was last read or saved; it has keys to keep.
      case read(ObjectVersion?, KeptKeys)
    }

    /// The most attempts of an update while other machines save.
    private static var attemptLimit: Int { 16 }
    /// The longest object that is read, in bytes.
    private static var byteLimit: Int { 64 << 20 }

    /// The object.
    public let object: RemoteObject
    /// The version of the values that this program saves, from 1.
    public var version: Int { format.version }

    private let key: SealedValueKey
    private let format: ValueFormat<Value>
    private let writers: RemoteStateStore.Writers
    private let knowledge = Mutex(Knowledge.unknown)

    /// Creates a store; no request is sent yet.
    ///
    /// - Parameters:
    ///   - object: An object in a bucket.
    ///   - key: The key of the value. Machines that share it take recipients and identities, or a passphrase.
    ///   - defaultValue: The value when there is no object, and the values of keys that a stored one lacks.
    ///   - migrations: The steps for older values: the first one from version 1 to version 2, and so on.
    ///   - unknownKeys: The treatment of stored keys that the type does not know; by default they are kept.
    ///   - writers: The machines that save the value.
    ///   - limits: The maximum size of the value, and of its nesting; nil as for `SealedValueStore`.
    public init(
      object: RemoteObject, key: SealedValueKey, default defaultValue: Value,
      migrations: [ValueMigration] = [], unknownKeys: UnknownKeys = .keep,
      writers: RemoteStateStore.Writers = .several, limits: ArchiveLimits? = nil
    ) {
      self.object = object
      self.key = key.cachingDerivedKeys()
      format = ValueFormat(
        default: defaultValue, migrations: migrations, unknownKeys: unknownKeys, limits: limits)
      self.writers = writers
    }

    /// The stored keys that the type does not know, as the last load, update or save of this store found them.
    public var unknownKeyReport: UnknownKeyReport {
      knowledge.withLock { knowledge in
        if case .read(_, let kept) = knowledge { kept.report } else { UnknownKeyReport() }
      }
    }

    /// Reads the value, migrated and with its defaults; the object is not changed.
    ///
    /// - Returns: The value, or the default if there is no object.
    /// - Throws: `KeepsakeError`, as `SealedValueStore.load()` does for a file; `storeUnavailable` with a ``RemoteError``
    ///   when the object cannot be read.
    nonisolated(nonsending) public func load() async throws(KeepsakeError) -> Value {
      try await perform { cancellation throws(KeepsakeError) in
        let found = try self.read(cancellation)
        self.format.reportUnknownKeys(found.kept)
        return found.value
      }
    }

    /// Replaces the value, unless another machine has saved one since it was read here.
    ///
    /// When the call returns, the server has stored the value.
    ///
    /// - Parameter value: The value.
    /// - Throws: `KeepsakeError`: `valueChanged` when the object is not the one that was last read or saved here, or was
    ///   never read here; load it and try again, or use ``update(_:)``. `storeUnavailable` with a ``RemoteError``, also
    ///   when it is unknown whether the value was saved (`outcomeUnknown`); load it then. `valueNotStorable` and the codes
    ///   of keys.
    nonisolated(nonsending) public func save(_ value: Value) async throws(KeepsakeError) {
      try await perform { cancellation throws(KeepsakeError) in
        let known = self.knowledge.withLock { $0 }
        let (version, kept) =
          if case .read(let version, let kept) = known { (version, kept) } else {
            (ObjectVersion?.none, KeptKeys.none)
          }
        self.format.reportUnknownKeys(
          try self.write(value, keeping: kept, replacing: version, cancellation))
      }
    }

    /// Reads the value, changes it and saves it, and begins again when another machine was faster.
    ///
    /// - Parameter change: Changes the value on a thread that may block. It is called once for each attempt, and must not
    ///   use the store.
    /// - Returns: The value that was saved.
    /// - Throws: `KeepsakeError`, as ``load()`` and ``save(_:)`` do; `valueChanged` only when other machines were faster
    ///   16 times.
    @discardableResult
    nonisolated(nonsending) public func update(
      _ change: @escaping @Sendable (inout Value) -> Void
    ) async throws(KeepsakeError) -> Value {
      try await perform { cancellation throws(KeepsakeError) in
        var attempt = 1
        while true {
          let found = try self.read(cancellation)
          var value = found.value
          change(&value)
          do throws(KeepsakeError) {
            self.format.reportUnknownKeys(
              try self.write(
                value, keeping: found.kept, replacing: found.version, cancellation))
            return value
          } catch {
            guard error.code == .valueChanged, attempt < Self.attemptLimit else { throw error }
          }
          attempt += 1
        }
      }
    }

    /// Deletes the object, whichever version it has; a load then gives the default.
    ///
    /// A bucket that keeps versions keeps the earlier ones.
    ///
    /// - Throws: `KeepsakeError` with `storeUnavailable` and a ``RemoteError``.
    nonisolated(nonsending) public func delete() async throws(KeepsakeError) {
      try await perform { cancellation throws(KeepsakeError) in
        self.note(.unknown)
        do throws(RemoteError) {
          try self.object.deleteNow(cancellation)
        } catch {
          throw KeepsakeError(error, "The value was not deleted.")
        }
        self.note(.read(nil, .none))
      }
    }
  }

  // Work on a thread that may block.
  extension RemoteValueStore {
    private nonisolated(nonsending) func perform<Result: Sendable>(
      _ work: @escaping @Sendable (Cancellation) throws(KeepsakeError) -> Result
    ) async throws(KeepsakeError) -> Result {
      let cancellation = Cancellation()
      return try await BlockingWork.run(cancelling: cancellation) { () throws(KeepsakeError) in
        try work(cancellation)
      }
    }

    private func note(_ new: Knowledge) { knowledge.withLock { $0 = new } }

    private func read(
      _ cancellation: Cancellation
    ) throws(KeepsakeError) -> (value: Value, kept: KeptKeys, version: ObjectVersion?) {
      note(.unknown)
      let content: ObjectContent?
      do throws(RemoteError) {
        content = try object.getNow(upTo: Self.byteLimit, cancellation)
      } catch {
        throw KeepsakeError(error, "The value was not loaded.")
      }
      guard let content else {
        note(.read(nil, .none))
        return (format.defaultValue, .none, nil)
      }
      let place = "\(object)"
      let (value, kept) = try format.value(in: key.open(content.bytes, at: place), at: place)
      note(.read(content.version, kept))
      return (value, kept, content.version)
    }

    /// Replaces a version, and returns the keys to keep from now on.
    private func write(
      _ value: Value, keeping kept: KeptKeys, replacing version: ObjectVersion?,
      _ cancellation: Cancellation
    ) throws(KeepsakeError) -> KeptKeys {
      let (archive, nextKept) = try format.archive(of: value, keeping: kept)
      // A key store makes no key while there is an object that an older key may have sealed.
      if version == nil || writers == .one {
        try requesting { () throws(RemoteError) in
          guard try object.versionNow(cancellation) == version else { throw changed }
        }
      }
      let bytes = try key.seal(archive, isNew: version == nil)
      let written = try requesting { () throws(RemoteError) in
        guard writers == .several else {
          return try object.putNow(bytes, if: .always, cancellation)
        }
        try object.requireConditions(cancellation)
        return try object.putNow(
          bytes, if: version.map { .version($0) } ?? .absent, cancellation)
      }
      note(.read(written, nextKept))
      return nextKept
    }

    private var changed: RemoteError {
      RemoteError(
        .changedMeanwhile, "The object is not the one that was last read.",
        request: "HEAD \(object)")
    }

    /// Runs requests of a save.
    private func requesting<Result>(
      _ work: () throws(RemoteError) -> Result
    ) throws(KeepsakeError) -> Result {
      do throws(RemoteError) {
        return try work()
      } catch {
        if error.code == .outcomeUnknown { note(.unknown) }
        throw KeepsakeError(error, "The value was not saved.")
      }
    }
  }

  extension KeepsakeError {
    /// The error of a request for a value.
    fileprivate init(_ error: RemoteError, _ outcome: String) {
      switch error.code {
      case .changedMeanwhile:
        self.init(
          .valueChanged,
          "\(outcome) Another machine was faster; load the value again, and make the change to that. \(error.message)",
          underlyingError: error)
      case .outcomeUnknown: self.init(.storeUnavailable, error.message, underlyingError: error)
      default:
        self.init(.storeUnavailable, "\(outcome) \(error.message)", underlyingError: error)
      }
    }
  }
#endif
