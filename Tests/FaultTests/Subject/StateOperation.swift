internal import Keepsake

/// The operations on a state directory.
///
/// They run on the calling thread, so that each run makes the same system calls.
struct StateOperation {
  let path: String
  /// The name of a session, a generation or a count.
  let second: String
  let bytes: [UInt8]
  /// True when the pin of the state is stored, in the directory itself.
  let isPinned: Bool
  let allowsMissingLocks: Bool

  private var directory: StateDirectory {
    var directory = StateDirectory(path: path)
    directory.allowsMissingLocks = allowsMissingLocks
    return directory
  }
  private var store: SealedStateStore {
    SealedStateStore(
      directory: directory, freshnessStore: isPinned ? FileFreshnessStore(path: path) : nil)
  }
  private var sessions: StateSessions {
    StateSessions(in: directory, policy: SessionPolicy(maximumCount: Int(second) ?? 64))
  }

  /// The operation with a name; nil when no operation on a state directory has it.
  func named(_ name: String) throws -> (() throws -> Void)? {
    switch name {
    case "state-load": { FaultSubject.say("loaded \(try store.loadNow())") }
    case "state-save": try save()
    case "state-remove": { try store.removeNow() }
    case "state-reset": { try store.resetNow() }
    case "state-migrate": try migrate()
    case "passphrase": { try changePassphrase() }
    case "state-launch": { try launch() }
    case "session-load": { try load(try sessions.openNow(try SessionIdentifier(second))) }
    case "session-resume": { try load(try sessions.resumeNow()) }
    case "session-archive":
      {
        FaultSubject.say(
          "opened \(try sessions.archiveNow(of: try SessionIdentifier(second)).byteCount)")
      }
    case "value-load": { FaultSubject.say("loaded \(try values.load())") }
    case "value-update": { try values.update { $0 += 1 } }
    case "value-save": try saveValue()
    case "journaled-update": { try journaled.update(1) }
    case "journaled-compact": { try journaled.compact() }
    case "key-rotate": { try rotateKey() }
    case "session-save": try saveInSession()
    case "session-list": { FaultSubject.say("listed \(try sessions.listNow().count)") }
    case "session-prune": { try prune() }
    case "session-remove": { try sessions.removeNow(try SessionIdentifier(second)) }
    case "session-discard": try discard()
    case "session-reset": { try sessions.resetNow() }
    case "session-migrate": { try migrateSessions() }
    default: nil
    }
  }

  /// Loads and then saves, as an app does.
  private func save() throws -> () throws -> Void {
    let store = store
    return {
      _ = try store.loadNow()
      try store.saveNow(bytes, previous: .replace)
    }
  }

  private func migrate() throws -> () throws -> Void {
    let key = try SealKey.read(at: directory.keyPath)
    let plan = try MigrationOperation.plan()
    let options = FileMigrationOptions(allowsMissingLocks: allowsMissingLocks)
    return { try plan.migrateFile(at: directory.archivePath, keys: [key], options: options) }
  }

  /// Makes the calls that a launch makes to its store, in the same order.
  private func launch() throws {
    let store = store
    _ = try store.loadNow()
    try store.beginRestoration(attempt: 1)
    try store.endRestoration()
    FaultSubject.say("obstacle \(store.savingObstacle ?? "none")")
  }

  private func load(_ session: StateSession) throws {
    FaultSubject.say("loaded \(try session.store.loadNow())")
  }

  private var values: SealedValueStore<Int> {
    SealedValueStore(
      path: path + "/value", key: .keyStore(KeyFileStore(path: directory.keyPath)), default: 0)
  }

  /// Compacts in this thread alone, so that each run makes the same system calls.
  private var journaled: JournaledValue<Int, Int> {
    JournaledValue(
      path: path + "/journaled", key: .keyStore(KeyFileStore(path: directory.keyPath)), default: 0,
      compactionSize: nil
    ) { $0 += $1 }
  }

  private func saveValue() throws -> () throws -> Void {
    let values = values
    return {
      _ = try values.load()
      try values.save(2)
    }
  }

  private func rotateKey() throws {
    try KeyRotation(keyPath: directory.keyPath, files: [directory.archivePath]).run()
  }

  /// Throws the error of the first session that could not be removed.
  private func prune() throws {
    for removal in try sessions.pruneNow() {
      if let failure = removal.failure { throw failure }
    }
  }

  private func migrateSessions() throws {
    for file in try sessions.migrateNow(with: MigrationOperation.plan()) {
      if case .failed(let error) = file.outcome { throw error }
    }
  }

  private func saveInSession() throws -> () throws -> Void {
    let (sessions, identifier) = (sessions, try SessionIdentifier(second))
    return {
      let session = try sessions.openNow(identifier)
      try session.store.saveNow(bytes, previous: .replace)
    }
  }

  /// The session is open before the operation begins.
  private func discard() throws -> () throws -> Void {
    let session = try sessions.openNow(try SessionIdentifier(second))
    return { try session.discardNow() }
  }

  private func changePassphrase() throws {
    let (old, new) = (Array("passphrase".utf8), Array(second.utf8))
    try SealKey.changePassphrase(
      at: path, from: try SealPassphrase(copying: old.span),
      to: try SealPassphrase(copying: new.span), cost: .constrained)
  }
}
