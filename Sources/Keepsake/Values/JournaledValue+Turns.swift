import Dispatch
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeFiles
import KeepsakeJournal
import KeepsakeSeal

/// The content of a snapshot: the value, and the changes that are in it (Spec/state.md, section 7).
struct JournalSnapshot<Value: Codable & Sendable>: Codable, Sendable {
  /// The identifier of the journal.
  var journal: [UInt8]
  /// The number of changes in the value.
  var changes: UInt64
  var value: Value

  static var valueKey: ArchiveKey { "value" }
  static var identifierLength: Int { 16 }
}

// Work under the lock.
extension JournaledValue {
  private var snapshotPath: String { path + "/snapshot" }

  /// The approximate number of bytes that the journal adds to those of a change.
  private static var lengthOfFrame: Int { 128 }

  /// Runs work under the lock of the journal.
  func turn<Result>(
    isWriting: Bool, _ work: (inout State) throws(KeepsakeError) -> Result
  ) throws(KeepsakeError) -> Result {
    guard !key.isPassphrase else {
      throw KeepsakeError(
        .keyUnavailable,
        "The value at \(path) was neither read nor changed, because a passphrase cannot be the key of a journaled value; "
          + "pass a PassphraseKeyStore, which keeps a key under the passphrase.", at: path)
    }
    return try state.withLock { state throws(KeepsakeError) in
      let lock = ValueLock(path: path, lockPath: state.journal.lockPath, patience: patience)
      let held = try isWriting ? lock.taken() : lock.takenForReading()
      defer { withExtendedLifetime(held) {} }
      return try work(&state)
    }
  }

  /// Brings the value in memory up to date with what other processes have changed.
  @discardableResult
  func refresh(_ state: inout State) throws(KeepsakeError) -> Current {
    let version = try snapshotVersion()
    // Another process has compacted the value, or a backup was restored.
    let isReplaced = version != state.current?.snapshotVersion && !state.isCompacting
    guard var current = state.current, !isReplaced else { return try loaded(&state, version) }
    if state.journal.isAtEnd() { return current }
    state.current = nil
    try read(&current, &state.journal)
    state.current = current
    return current
  }

  private func loaded(
    _ state: inout State, _ version: FileVersion?
  ) throws(KeepsakeError) -> Current {
    state.current = nil
    state.journal.forget()
    state.loadCount += 1
    state.postponedTo = 0
    var current = Current(value: format.defaultValue.value, loadCount: state.loadCount)
    if let version {
      let archive = try SealedValue.read(snapshotPath, with: key)
      let (snapshot, kept) = try decoded(archive)
      current.value = snapshot.value
      current.changeCount = snapshot.changes
      current.journalID = snapshot.journal
      current.snapshotVersion = version
      current.snapshotCount = snapshot.changes
      current.snapshotLength = archive.count
      current.kept = kept
      try read(&current, &state.journal)
    } else {
      let journal = state.journal
      guard try KeepsakeError.access({ () throws(JournalError) in try journal.isAbsent() }) else {
        throw KeepsakeError(
          .damaged,
          "The value at \(path) was neither loaded nor changed, because its snapshot is missing while its changes are "
            + "there; restore the whole directory from a backup.", at: snapshotPath)
      }
    }
    state.current = current
    return current
  }

  private func decoded(
    _ archive: [UInt8]
  ) throws(KeepsakeError) -> (JournalSnapshot<Value>, KeptKeys) {
    let (snapshot, kept) = try format.value(in: archive, at: snapshotPath)
    // A value of another kind has no journal identifier. It then has the default, which is empty.
    guard snapshot.journal.count == JournalSnapshot<Value>.identifierLength else {
      throw KeepsakeError(
        .valueUnreadable,
        "The file at \(snapshotPath) opened and is sound, but is not a snapshot of a journaled value; it was left as it is.",
        at: snapshotPath)
    }
    return (snapshot, kept)
  }

  /// Applies the changes of other processes to the value.
  private func read(
    _ current: inout Current, _ journal: inout SharedJournal
  ) throws(KeepsakeError) {
    let keys = try journalKeys()
    while true {
      let found = try KeepsakeError.access { () throws(JournalError) in
        try journal.next(from: current.changeCount, with: keys, as: form)
      }
      if found.isEmpty { break }
      for change in found {
        guard change.number == current.changeCount else {
          journal.forget()
          throw KeepsakeError(
            .damaged,
            "The value at \(path) was neither loaded nor changed, because its snapshot has \(current.snapshotCount) changes, "
              + "and those from \(current.changeCount) to \(change.number - 1) are missing: the snapshot is older than the "
              + "files that were removed. Restore the whole directory from one backup.", at: path)
        }
        if let change = change.entry { apply(&current.value, change) }
        current.changeCount += 1
        current.pendingLength += change.byteCount + Self.lengthOfFrame
      }
    }
    try requireFit(&journal, to: current)
  }

  /// Refuses a journal that does not belong to the snapshot, or has fewer changes.
  private func requireFit(
    _ journal: inout SharedJournal, to current: Current
  ) throws(KeepsakeError) {
    let point = journal.point
    guard point?.nextEntry ?? 0 == current.changeCount,
      point == nil || point?.journalID == current.journalID
    else {
      journal.forget()
      throw KeepsakeError(
        .damaged,
        "The value at \(path) was neither loaded nor changed, because its snapshot and its changes do not fit: the snapshot "
          + "has \(current.snapshotCount) changes, and the journal ends with \(point?.nextEntry ?? 0). Restore the whole "
          + "directory from one backup.", at: path)
    }
  }

  private func journalKeys() throws(KeepsakeError) -> JournalKeys {
    JournalKeys(
      recipients: try key.recipients(isNew: false), identities: try key.identities(),
      context: key.purpose.context)
  }

  private func snapshotVersion() throws(KeepsakeError) -> FileVersion? {
    let path = snapshotPath
    return try KeepsakeError.access { () throws(FileError) in try DurableFile.version(of: path) }
  }

  /// Applies changes to the value, which is up to date, and appends them to the journal.
  func make(
    _ choose: (Value) -> [Change], in state: inout State
  ) throws(KeepsakeError) -> Value {
    guard var current = state.current else { return format.defaultValue.value }
    let changes = choose(current.value)
    if changes.isEmpty { return current.value }
    let (journal, form) = (state.journal, form)
    let encoded = try KeepsakeError.access { () throws(JournalError) in
      try journal.encoded(changes, as: form)
    }
    if current.journalID == nil {
      try begin(&current)
      state.current = current
    }
    try open(&state.journal, for: current)
    // The value in memory is dropped when the append fails; the next call loads it again.
    state.current = nil
    for change in changes { apply(&current.value, change) }
    try KeepsakeError.access { () throws(JournalError) in _ = try state.journal.append(encoded) }
    current.changeCount += UInt64(changes.count)
    current.pendingLength += encoded.byteCount + Self.lengthOfFrame
    state.current = current
    return current.value
  }

  /// Writes the first snapshot, so that a later program with another default gets the same value from the changes.
  private func begin(_ current: inout Current) throws(KeepsakeError) {
    let id = try KeepsakeError.access { () throws(SealError) in
      try RandomBytes.make(count: JournalSnapshot<Value>.identifierLength)
    }
    let written = try KeepsakeError.preparing { () throws(KeepsakeError) in
      try write(JournalSnapshot(journal: id, changes: 0, value: current.value), keeping: .none)
    }
    current.journalID = id
    current.snapshotLength = written.length
    current.snapshotVersion = try snapshotVersion()
  }

  private func open(_ journal: inout SharedJournal, for current: Current) throws(KeepsakeError) {
    if !journal.isOpen, let id = current.journalID {
      let keys = try journalKeys()
      let options = JournalOptions(publicMetadata: keys.context)
      try KeepsakeError.access { () throws(JournalError) in
        try journal.open(with: keys, options: options, journalID: id)
      }
    }
    try requireFit(&journal, to: current)
  }

  private func write(
    _ snapshot: JournalSnapshot<Value>, keeping kept: KeptKeys
  ) throws(KeepsakeError) -> (kept: KeptKeys, length: Int) {
    let (archive, left) = try format.archive(of: snapshot, keeping: kept)
    try SealedValue.write(archive, to: snapshotPath, for: key)
    return (left, archive.count)
  }
}

// Compaction.
extension JournaledValue {
  /// Writes a snapshot under the snapshot's own lock, so that updates continue meanwhile.
  func compact(patience: Duration) throws(KeepsakeError) {
    let kind = try KeepsakeError.access { () throws(FileError) in try DurableFile.kind(of: path) }
    guard kind != .absent else { return }
    let lock = ValueLock(path: path, lockPath: snapshotPath + ".lock", patience: patience)
    let held = try lock.taken()
    defer { withExtendedLifetime(held) {} }
    let (current, journalID) = try turn(isWriting: true) { state throws(KeepsakeError) in
      try beginCompaction(&state)
    }
    guard let journalID else { return }
    defer { state.withLock { $0.isCompacting = false } }
    var written: (kept: KeptKeys, length: Int)?
    if current.changeCount > current.snapshotCount {
      written = try write(
        JournalSnapshot(
          journal: journalID, changes: current.changeCount, value: current.value),
        keeping: current.kept)
    }
    try turn(isWriting: true) { state throws(KeepsakeError) in
      try endCompaction(&state, of: current, written)
    }
    if let written { format.reportUnknownKeys(written.kept) }
  }

  /// The value to write; later changes go into a new file.
  private func beginCompaction(
    _ state: inout State
  ) throws(KeepsakeError) -> (Current, journalID: [UInt8]?) {
    let current = try refresh(&state)
    guard let journalID = current.journalID else { return (current, nil) }
    if current.changeCount > current.snapshotCount {
      try open(&state.journal, for: current)
      try KeepsakeError.access { () throws(JournalError) in try state.journal.beginFile() }
    }
    state.isCompacting = true
    return (current, journalID)
  }

  /// Notes that the snapshot is durable, and removes the files of its changes.
  private func endCompaction(
    _ state: inout State, of old: Current, _ written: (kept: KeptKeys, length: Int)?
  ) throws(KeepsakeError) {
    if let written, state.current?.loadCount == old.loadCount {
      let version = try snapshotVersion()
      state.current?.snapshotVersion = version
      state.current?.snapshotCount = old.changeCount
      state.current?.snapshotLength = written.length
      state.current?.kept = written.kept
      state.current?.pendingLength -= old.pendingLength
    }
    state.isCompacting = false
    let current = try refresh(&state)
    guard current.journalID == old.journalID else { return }
    try open(&state.journal, for: current)
    try KeepsakeError.access { () throws(JournalError) in
      try state.journal.removeFiles(before: old.changeCount)
    }
  }

  /// True when a compaction in the background is due; it is then marked as scheduled.
  func schedulesCompaction(_ state: inout State) -> Bool {
    guard let compactionSize, let current = state.current, !state.isCompactionScheduled else {
      return false
    }
    let limit = max(compactionSize, current.snapshotLength, state.postponedTo)
    let isDue =
      current.pendingLength >= limit
      || state.journal.fileCount >= Self.fileCountLimit && state.postponedTo == 0
    if isDue { state.isCompactionScheduled = true }
    return isDue
  }

  /// Sleeps until no compaction is scheduled.
  func waitForCompaction() { state.wait { !$0.isCompactionScheduled } }

  func compactInBackground() {
    DispatchQueue.global(qos: .utility).async {
      var failure: KeepsakeError?
      do throws(KeepsakeError) {
        try self.compact(patience: .zero)
      } catch {
        failure = error
      }
      self.state.withLock { state in
        // It is no failure that another process compacts the value.
        state.compactionFailure = failure?.code == .stateInUse ? nil : failure
        // After a failure, the next attempt waits until the pending changes have doubled.
        state.postponedTo = failure == nil ? 0 : 2 * (state.current?.pendingLength ?? 0)
        state.isCompactionScheduled = false
      }
    }
  }
}
