#if Remote
  public import Keepsake

  /// Uploads the files of a journal to an object store as they are closed.
  ///
  /// ```swift
  /// let uploader = JournalUploader(
  ///   journal.directory, to: store, prefix: "logs/mine")
  /// try await uploader.follow()
  /// ```
  ///
  /// Use it to keep a copy of a journal beyond one machine, and to read it elsewhere by ``RemoteJournal``. A file is closed
  /// once a later one follows it; `rotate()` makes the next entry begin one. Files are uploaded as they are, sealed, under
  /// their names, and in order; no key is needed.
  ///
  /// - Each file is uploaded once, and never replaced: if its object has other bytes, an error names the object.
  /// - An uploader keeps nothing on the disk. One that begins again lists the objects and compares those that are there: the
  ///   size, the beginning, which has a random identifier, and the end, which has a digest of all entries.
  /// - A file that retention has removed before it was uploaded is an error too, so keep files for longer than the machine
  ///   may be without a connection. An object stays in the store when retention removes the local file.
  public final class JournalUploader: Sendable {
    /// The default of ``requestByteLimit``.
    private static let standardRequestByteLimit = 256 << 20
    /// The bytes at the beginning and at the end of a file that are compared.
    private static let comparedByteCount = PageCache.pageLength

    /// The journal.
    public let journal: JournalDirectory
    /// The beginning of the keys; empty, or with a slash at its end.
    public let prefix: String
    private let store: ObjectStore
    private let writers: RemoteStateStore.Writers
    /// The most bytes of a file that is sent by one request, as a condition requires.
    private let requestByteLimit: Int
    /// The number of the last file that is known to be in the store; 0 for none.
    private let confirmed = Monitor<UInt64>(0)

    /// Creates an uploader; no request is sent yet.
    ///
    /// - Parameters:
    ///   - journal: The journal; its keys are not used.
    ///   - store: The bucket.
    ///   - prefix: The beginning of the keys, up to a slash, which may be left out. Each journal needs its own.
    ///   - writers: The machines that write below the prefix. For several the store is probed before the first upload, and
    ///     has to keep conditions; files then have at most 256 MiB.
    public convenience init(
      _ journal: JournalDirectory, to store: ObjectStore, prefix: String,
      writers: RemoteStateStore.Writers = .several
    ) {
      self.init(
        journal, to: store, prefix: prefix, writers: writers,
        requestByteLimit: Self.standardRequestByteLimit)
    }

    init(
      _ journal: JournalDirectory, to store: ObjectStore, prefix: String,
      writers: RemoteStateStore.Writers, requestByteLimit: Int
    ) {
      self.journal = journal
      self.store = store
      self.prefix = RemoteJournalStorage.folder(prefix)
      self.writers = writers
      self.requestByteLimit = requestByteLimit
    }

    /// Uploads each closed file that is not in the store.
    ///
    /// - Returns: The numbers of the files that were uploaded, in order. When the call returns, the store has all closed
    ///   files.
    /// - Throws: ``RemoteError``: `changedMeanwhile` when an object has other bytes than its file, or belongs to another
    ///   journal; `absent` when a file was removed before it was uploaded; `conditionsUnsupported`; and others. A
    ///   `JournalError` when the journal cannot be read. Files before the one that failed are in the store.
    @discardableResult
    public func upload() async throws -> [UInt64] {
      let cancellation = Cancellation()
      return try await BlockingWork.run(cancelling: cancellation) {
        try self.uploadNow(cancellation)
      }
    }

    /// Uploads files as they are closed, until the task is cancelled.
    ///
    /// A failure that may pass, such as a lost connection, is reported, and the next check of the journal tries again.
    ///
    /// - Parameters:
    ///   - interval: The time between two checks of the journal's directory; a check sends no request.
    ///   - report: Receives the numbers of files that were uploaded, and failures that may pass.
    /// - Throws: All other errors of ``upload()``.
    public func follow(
      every interval: Duration = .seconds(10),
      reporting report: @Sendable (Result<[UInt64], RemoteError>) -> Void = { _ in }
    ) async throws {
      while !Task.isCancelled {
        do {
          let numbers = try await upload()
          if !numbers.isEmpty { report(.success(numbers)) }
        } catch let error as RemoteError where error.leavesOutcomeOpen {
          if !Task.isCancelled { report(.failure(error)) }
        }
        // A pause ends early when the task is cancelled.
        try? await Task.sleep(for: interval)
      }
    }

    private func uploadNow(_ cancellation: Cancellation) throws -> [UInt64] {
      let closed = try journal.closedFiles()
      var known = confirmed.withLock { $0 }
      guard let newest = closed.files.last, newest.number > known else { return [] }
      let storage = try RemoteJournalStorage(store, prefix: prefix, cancellation)
      let stored = storage.numbers
      // An object that this uploader has seen and that is gone is one reason to look at all of them again.
      if !stored.contains(known) { known = 0 }
      let pending = closed.files.filter { $0.number > known }
      if let next = pending.first, let last = stored.max() {
        if known == 0 { try requireSameJournal(last, as: next, in: storage) }
        if last + 1 < next.number { throw removed(last + 1) }
      } else {
        try putRetention(closed.retention, replacing: storage.entries["retention"], cancellation)
      }
      var uploaded: [UInt64] = []
      for file in pending {
        let object = try store.object(prefix + file.name)
        if let entry = storage.entries[file.name] {
          try requireSame(object, as: file, byteCount: entry.byteCount, cancellation)
        } else if try put(file, as: object, cancellation) {
          uploaded.append(file.number)
        }
        confirmed.withLock { $0 = max($0, file.number) }
      }
      return uploaded
    }

    /// Uploads a file; false when it was there already.
    private func put(
      _ file: JournalDirectory.ClosedFile, as object: RemoteObject, _ cancellation: Cancellation
    ) throws -> Bool {
      let (descriptor, size) = try open(file)
      do throws(RemoteError) {
        guard size > requestByteLimit else {
          let bytes = try Self.read(descriptor, 0..<size, of: file)
          _ = try object.putNow(bytes, if: condition(for: object, cancellation), cancellation)
          return true
        }
        guard writers == .one else {
          throw RemoteError(
            .conditionsUnsupported,
            "\"\(file.path)\" has \(size) bytes, and stores keep conditions for at most \(requestByteLimit), which fit "
              + "into one request. Begin files earlier by JournalRotation, or say by RemoteStateStore.Writers.one that only "
              + "this machine writes.", request: "PUT \(object)")
        }
        _ = try object.putPartsNow(byteCount: size, checking: .absent, cancellation) {
          append throws(RemoteError) in
          var start = 0
          while start < size {
            let end = min(start + 1 << 20, size)
            try append(Self.read(descriptor, start..<end, of: file))
            start = end
          }
        }
        return true
      } catch {
        guard error.code == .changedMeanwhile else { throw error }
      }
      try requireSame(object, as: file, byteCount: nil, cancellation)
      return false
    }

    /// The condition of an upload; probes the store, or checks that the object is absent.
    private func condition(
      for object: RemoteObject, _ cancellation: Cancellation
    ) throws(RemoteError) -> ObjectCondition {
      guard writers == .one else {
        try object.requireConditions(cancellation)
        return .absent
      }
      guard try object.versionNow(cancellation) == nil else {
        throw RemoteError(.changedMeanwhile, "The object exists.", request: "PUT \(object)")
      }
      return .always
    }

    /// Uploads the record of the files that were removed before the first one was uploaded.
    ///
    /// Another uploader of the same journal that began at once may have written the same record.
    private func putRetention(
      _ bytes: [UInt8]?, replacing entry: ObjectStore.Entry?, _ cancellation: Cancellation
    ) throws {
      let object = try store.object(prefix + "retention")
      guard let bytes else {
        if entry != nil { throw differs(object, from: journal.path) }
        return
      }
      do throws(RemoteError) {
        if let entry {
          if writers == .several { try object.requireConditions(cancellation) }
          _ = try object.putNow(
            bytes, if: writers == .one ? .always : .version(entry.version), cancellation)
        } else {
          _ = try object.putNow(bytes, if: condition(for: object, cancellation), cancellation)
        }
      } catch {
        guard error.code == .changedMeanwhile,
          try object.version(holding: bytes, cancellation) != nil
        else { throw error }
      }
    }
  }

  // Comparing.
  extension JournalUploader {
    /// Compares the identifier of the journal that is in the store with that of this one.
    private func requireSameJournal(
      _ number: UInt64, as file: JournalDirectory.ClosedFile, in storage: RemoteJournalStorage
    ) throws {
      // A damaged header is left to the comparison of that file.
      guard let own = try? journal.journalID(ofFile: file.number) else { return }
      let stored = JournalDirectory(
        at: storage.address, in: storage, with: JournalKeys(recipients: []))
      let found: [UInt8]?
      do throws(JournalError) {
        found = try stored.journalID(ofFile: number)
      } catch {
        if let failure = error.sealError?.underlyingError as? RemoteError { throw failure }
        if number >= file.number { return }
        throw differs(
          try store.object(prefix + JournalDirectory.name(ofFile: number)), from: journal.path)
      }
      guard found == own else {
        throw RemoteError(
          .changedMeanwhile,
          "The files there belong to another journal than \"\(journal.path)\". Nothing was uploaded; choose a prefix for "
            + "each journal.", request: "PUT \(storage.address)")
      }
    }

    /// Refuses an object that is not the file: it has another size, beginning or end.
    private func requireSame(
      _ object: RemoteObject, as file: JournalDirectory.ClosedFile, byteCount: Int?,
      _ cancellation: Cancellation
    ) throws {
      let (descriptor, size) = try open(file)
      guard byteCount == nil || byteCount == size else { throw differs(object, from: file.path) }
      let source = try RemoteSource(
        object, firstByteCount: Self.comparedByteCount, cancellation)
      guard source.byteCount == size else { throw differs(object, from: file.path) }
      let count = min(Self.comparedByteCount, size)
      for range in [0..<count, size - count..<size] {
        guard try source.bytes(range) == Self.read(descriptor, range, of: file) else {
          throw differs(object, from: file.path)
        }
      }
    }

    private func differs(_ object: RemoteObject, from path: String) -> RemoteError {
      RemoteError(
        .changedMeanwhile,
        "The object has other bytes than \"\(path)\", and was not overwritten. Choose a prefix for each journal, or delete "
          + "the object.", request: "PUT \(object)")
    }

    /// Opens a local file, with its size.
    private func open(
      _ file: JournalDirectory.ClosedFile
    ) throws -> (FileDescriptor, Int) {
      do throws(FileError) {
        let (descriptor, status) = try FileLocation(file.path).openRegularFile()
        return (descriptor, Int(clamping: status.size))
      } catch {
        if error.code == .fileAbsent { throw removed(file.number) }
        throw JournalError(SealError(error))
      }
    }

    private static func read(
      _ descriptor: FileDescriptor, _ range: Range<Int>, of file: JournalDirectory.ClosedFile
    ) throws(RemoteError) -> [UInt8] {
      do throws(FileError) {
        let bytes = try descriptor.readUp(
          to: range.count, at: UInt64(range.lowerBound), path: file.path)
        if bytes.count == range.count { return bytes }
      } catch {
        throw RemoteError(
          .requestRefused, "The file to upload cannot be read. \(error)", underlyingError: error)
      }
      throw RemoteError(
        .requestRefused, "\"\(file.path)\" became shorter while it was read. Nothing was uploaded.")
    }

    private func removed(_ number: UInt64) -> RemoteError {
      RemoteError(
        .absent,
        "File \(number) of \"\(journal.path)\" was removed before it was uploaded, so the journal in the store would have a "
          + "gap. Nothing more was uploaded; let JournalRetention keep files for longer, and begin with another prefix.",
        request: "PUT s3://\(store.bucket)/\(prefix)")
    }
  }
#endif
