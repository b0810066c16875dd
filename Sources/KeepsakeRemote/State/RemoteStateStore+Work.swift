#if Remote
  import Keepsake
  import Synchronization

  // The work of the store on its own queue (Spec/remote.md, section 2).
  extension RemoteStateStore {
    func loadNow() throws(KeepsakeError) -> StoredState {
      let state = try local.loadNow()
      guard savingObstacle == nil else { return state }
      guard let content = try compare(with: state) else { return state }
      try take(content)
      return .archive(content.archive, failedLaunchCount: 0)
    }

    func saveNow(_ archive: [UInt8], previous: PreviousState) throws(KeepsakeError) {
      try saveLocally(archive, previous: previous)
      try upload(archive)
    }

    func synchronizeNow() throws(KeepsakeError) {
      let state = try local.loadNow()
      if try compare(with: state) != nil { note(.behind) }
      guard case .unsent(.none) = status, case .archive(let archive, _) = state else { return }
      try upload(archive)
    }

    func removeNow() throws(KeepsakeError) {
      let record = try record()
      do throws(RemoteError) {
        if let found = try object.getNow(upTo: Self.byteLimit),
          let summary = try? SealedFile.inspect(bytes: found.bytes),
          record.seen?.pin.fileID == summary.fileID
        {
          try object.deleteNow()
        }
      } catch {
        throw KeepsakeError(
          .storeUnavailable, "The state was not removed. \(error.message)", underlyingError: error)
      }
      try local.removeNow()
      // The record stays, so that the removed state is not taken again when it is put back.
      knowledge.withLock { $0.knowsVersion = false }
      note(.current)
    }

    func resolveNow(_ choice: Choice) throws(KeepsakeError) {
      guard case .conflict(let conflict) = status else { return }
      switch choice {
      case .takeTheirs:
        try local.setAside("set-aside", keepingOriginal: true)
        try take(RemoteContent(conflict))
      case .keepMine:
        guard case .archive(let archive, _) = try local.loadNow() else { return }
        try KeepsakeError.access { () throws(FileError) in
          let path = try DurableFile.freePath(beside: directory.archivePath, "set-aside")
          try DurableFile.createExclusively(at: path, with: conflict.content.bytes.span)
        }
        try saveLocally(archive, previous: .replace)
        // The next upload replaces exactly the version that the app has seen.
        var record = try record()
        record.seen = SyncRecord.Pair(
          pin: conflict.pin, localFileID: SyncRecord.noFileID,
          localGeneration: record.seen?.localGeneration ?? 0)
        record.sent = nil
        try keep(record, knowing: conflict.content.version)
        note(.unsent(nil))
        try upload(archive)
      }
    }
  }

  /// A remote state that was opened.
  struct RemoteContent {
    let archive: [UInt8]
    let content: ObjectContent
    let pin: SealedFilePin
  }

  extension RemoteContent {
    init(_ conflict: RemoteStateStore.Conflict) {
      self.init(archive: conflict.archive, content: conflict.content, pin: conflict.pin)
    }
  }

  // Comparing and taking.
  extension RemoteStateStore {
    /// Compares the local state with the remote one, notes the status, and returns the remote state if only that one
    /// has changed.
    private func compare(with state: StoredState) throws(KeepsakeError) -> RemoteContent? {
      if state != .absent { try noteOldCopy() }
      var record = try record()
      let found: ObjectContent?
      do throws(RemoteError) {
        found = try object.getNow(upTo: Self.byteLimit)
      } catch {
        noteFailure(error)
        return nil
      }
      guard let found else {
        try keep(record, knowing: nil)
        note(state == .absent ? .current : .unsent(nil))
        return nil
      }
      let remote: RemoteContent
      do throws(RemoteError) {
        remote = try opened(found, expecting: lastPin(record))
      } catch {
        note(.refused(error))
        return nil
      }
      if let sent = record.sent, sent.pin.fileID == remote.pin.fileID {
        // The upload was executed, and its answer was lost.
        record.seen = sent
        record.sent = nil
      }
      if record.seen?.pin.fileID == remote.pin.fileID {
        try keep(record, knowing: found.version)
        try? keepPin(remote.pin)
        if state == .absent || record.seen?.localFileID != SyncRecord.oldCopyID {
          note(isLocalNewer() ? .unsent(nil) : .current)
          return nil
        }
      }
      knowledge.withLock { $0.knowsVersion = false }
      guard case .archive(let archive, _) = state, isLocalNewer() else { return remote }
      if archive == remote.archive {
        try note(remote, isIn: localFileID())
      } else {
        note(
          .conflict(
            Conflict(
              archive: remote.archive, generation: remote.pin.generation, content: found,
              pin: remote.pin)))
      }
      return nil
    }

    /// Makes a remote state the local one.
    private func take(_ remote: RemoteContent) throws(KeepsakeError) {
      try saveLocally(remote.archive, previous: .replace)
      try note(remote, isIn: localFileID())
    }

    private func note(_ remote: RemoteContent, isIn localFileID: [UInt8]) throws(KeepsakeError) {
      var record = try record()
      record.seen = SyncRecord.Pair(
        pin: remote.pin, localFileID: localFileID, localGeneration: local.generation ?? 0)
      record.sent = nil
      try keep(record, knowing: remote.content.version)
      try? keepPin(remote.pin)
      note(.current)
    }

    /// Replaces the local file by one that is later than that of the last exchange.
    private func saveLocally(
      _ archive: [UInt8], previous: PreviousState
    ) throws(KeepsakeError) {
      try local.continueGenerations(after: record().seen?.localGeneration ?? 0)
      try local.saveNow(archive, previous: previous)
    }

    /// Remembers, for later saves too, that the local file is an older copy that was put back.
    private func noteOldCopy() throws(KeepsakeError) {
      var record = try record()
      guard let seen = record.seen, let generation = local.generation,
        generation <= seen.localGeneration,
        ![localFileID(), SyncRecord.oldCopyID].contains(seen.localFileID)
      else { return }
      record.seen?.localFileID = SyncRecord.oldCopyID
      knowledge.withLock { $0.record = record }
      try KeepsakeError.access { () throws(FileError) in try record.write(at: recordPath) }
    }

    private func opened(
      _ content: ObjectContent, expecting pin: SealedFilePin?
    ) throws(RemoteError) -> RemoteContent {
      do throws(SealError) {
        // The state that was seen may have got other recipients since, which changes its header.
        let isSeen = try SealedFile.inspect(bytes: content.bytes).fileID == pin?.fileID
        let file = try SealedFile.open(
          bytes: content.bytes, with: identities, context: directory.purpose.context,
          expecting: pin.map { isSeen ? .atLeast(generation: $0.generation) : .notBefore($0) }
            ?? .nothing)
        return RemoteContent(archive: try file.read(), content: content, pin: file.pin)
      } catch {
        let advice =
          error.code == .staleFile
          ? "The remote state is older than the last one seen here."
          : "The remote state cannot be opened by this machine."
        throw RemoteError(
          .stateRefused, "\(advice) It was neither taken nor changed. \(error.description)",
          request: "GET \(object)", underlyingError: error)
      }
    }
  }

  // Uploading.
  extension RemoteStateStore {
    private func upload(_ archive: [UInt8]) throws(KeepsakeError) {
      switch status {
      case .conflict, .refused: return
      case .unknown, .current, .unsent, .behind: break
      }
      if !knowledge.withLock({ $0.knowsVersion }) {
        _ = try compare(with: .archive(archive, failedLaunchCount: 0))
      }
      guard knowledge.withLock({ $0.knowsVersion }) else { return }
      do throws(RemoteError) {
        try requireConditions()
      } catch {
        return note(error.code == .conditionsUnsupported ? .refused(error) : .unsent(error))
      }
      var record = try record()
      let generation: UInt64
      do throws(RemoteError) {
        generation = (try lastPin(record)?.generation ?? 0) &+ 1
      } catch {
        return note(.refused(error))
      }
      let context = directory.purpose.context
      let (bytes, pin) = try KeepsakeError.sealing { () throws(SealError) in
        let bytes = try SealedFile.seal(
          archive.span, for: recipients,
          options: SealOptions(
            context: context, publicMetadata: context, generation: generation, padding: .padme))
        return (bytes, SealedFilePin(try SealedFile.inspect(bytes: bytes), generation: generation))
      }
      let pair = SyncRecord.Pair(
        pin: pin, localFileID: localFileID(), localGeneration: local.generation ?? 0)
      record.sent = pair
      let version = knowledge.withLock { $0.version }
      try keep(record, knowing: version)
      do throws(RemoteError) {
        let condition: ObjectCondition =
          writers == .one ? .always : version.map { .version($0) } ?? .absent
        let written = try object.putNow(bytes, if: condition)
        record.seen = pair
        record.sent = nil
        keepAfterUpload(record, knowing: written)
        note(.current)
      } catch {
        noteFailure(error)
        guard error.code == .changedMeanwhile else { return }
        _ = try compare(with: .archive(archive, failedLaunchCount: 0))
        return
      }
      do throws(KeepsakeError) {
        try keepPin(pin)
      } catch {
        throw KeepsakeError(
          .pinNotKept,
          "The state was saved and uploaded, but its pin was not kept, so an older one in the store would not be "
            + "noticed if the local copy and its record are older too. \(error.message)",
          at: directory.archivePath, underlyingError: error)
      }
    }

    /// Probes the store once, if several machines write.
    private func requireConditions() throws(RemoteError) {
      guard writers == .several, knowledge.withLock({ $0.record?.isProbed != true }) else { return }
      try bucket.requireConditions(for: object)
      knowledge.withLock { $0.record?.isProbed = true }
    }
  }

  // Pins of the remote state.
  extension RemoteStateStore {
    /// The pin of the last remote state that was seen, by the record or by the app's store of pins.
    private func lastPin(_ record: SyncRecord) throws(RemoteError) -> SealedFilePin? {
      let seen = record.seen?.pin
      guard let freshnessStore else { return seen }
      do throws(KeepsakeError) {
        let kept = try freshnessStore.pin(of: directory.purpose)
        knowledge.withLock { $0.pinnedFileID = kept?.fileID }
        guard let kept, kept.generation >= seen?.generation ?? 0 else { return seen }
        return kept
      } catch {
        throw RemoteError(
          .stateRefused,
          "Whether the remote state is the last one is not known, so it was neither taken nor changed. \(error.message)",
          request: "GET \(object)", underlyingError: error)
      }
    }

    /// Keeps the pin of the remote state in the app's store of pins; the next exchange tries again if that fails.
    private func keepPin(_ pin: SealedFilePin) throws(KeepsakeError) {
      guard let freshnessStore, knowledge.withLock({ $0.pinnedFileID }) != pin.fileID
      else { return }
      try freshnessStore.keep(pin, of: directory.purpose)
      knowledge.withLock { $0.pinnedFileID = pin.fileID }
    }
  }

  // Knowledge, which only the queue changes.
  extension RemoteStateStore {
    var recordPath: String { directory.path + "/remote" }

    func note(_ status: Status) { knowledge.withLock { $0.status = status } }

    private func noteFailure(_ error: RemoteError) {
      knowledge.withLock { knowledge in
        knowledge.knowsVersion = false
        knowledge.status = error.code == .answerTooLarge ? .refused(error) : .unsent(error)
      }
    }

    private func record() throws(KeepsakeError) -> SyncRecord {
      if let record = knowledge.withLock({ $0.record }) { return record }
      let record = try KeepsakeError.access { () throws(FileError) in
        try SyncRecord.read(at: recordPath, object: "\(object)")
      }
      knowledge.withLock { $0.record = record }
      return record
    }

    /// Keeps a record, and the version of the object that goes with it.
    private func keep(
      _ record: SyncRecord, knowing version: ObjectVersion?
    ) throws(KeepsakeError) {
      let isNew = knowledge.withLock { knowledge in
        defer {
          knowledge.record = record
          knowledge.version = version
          knowledge.knowsVersion = true
        }
        return knowledge.record != record
      }
      // Without a directory there is nothing to keep a record of.
      guard isNew || record.sent != nil, try isLocalPresent() else { return }
      try KeepsakeError.access { () throws(FileError) in try record.write(at: recordPath) }
    }

    /// Keeps the record of an upload that was executed; if that fails, the next load finds it out by itself.
    private func keepAfterUpload(_ record: SyncRecord, knowing version: ObjectVersion) {
      do throws(KeepsakeError) {
        try keep(record, knowing: version)
      } catch {}
    }

    private func isLocalPresent() throws(KeepsakeError) -> Bool {
      try KeepsakeError.access { () throws(FileError) in
        try DurableFile.kind(of: directory.path) == .directory
      }
    }

    /// The identifier of the local file, new with each save; none if there is no file.
    private func localFileID() -> [UInt8] {
      (try? SealedFile.inspect(directory.archivePath))?.fileID ?? SyncRecord.noFileID
    }

    /// True when this machine has saved since the last exchange.
    private func isLocalNewer() -> Bool {
      guard let fileID = (try? SealedFile.inspect(directory.archivePath))?.fileID else {
        return false
      }
      return knowledge.withLock { $0.record?.seen?.localFileID != fileID }
    }
  }

  extension KeepsakeError {
    /// Runs work of sealing in memory.
    fileprivate static func sealing<T>(
      _ work: () throws(SealError) -> T
    ) throws(KeepsakeError) -> T {
      do throws(SealError) {
        return try work()
      } catch {
        throw KeepsakeError(
          .storeUnavailable,
          "The state was saved on this machine, and not uploaded. \(error.description)",
          underlyingError: error)
      }
    }
  }
#endif
