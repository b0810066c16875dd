internal import Foundation
internal import Keepsake

/// An operation on the session `a` of a state directory whose app key is stored in a passphrase key file, so
/// that all kinds of writing operations use the same files.
struct RaceOperation {
  static let session = "a"
  private static let passphrases = ["passphrase", "other passphrase"]
  /// The least cost of Argon2id.
  private static let cost = PassphraseCost(passes: 1, memoryByteCount: 8 << 10)

  let path: String

  private var sessions: StateSessions {
    StateSessions(
      in: StateDirectory(path: path), keyStore: AppKeyStore(path: keyPath),
      policy: SessionPolicy(maximumCount: 1))
  }
  private var keyPath: String { StateDirectory(path: path).sessionsPath + "/key" }
  private var sessionPath: String {
    StateDirectory(path: path).sessionsPath + "/\(Self.session).session"
  }
  private var archivePath: String { sessionPath + "/state.keepsake" }

  /// The operation with a name; nil for unknown names.
  ///
  /// The data that it needs is read here, before it starts.
  func named(_ name: String) throws -> (() throws -> Void)? {
    switch name {
    case "race-save": return try save()
    case "race-rewrap": return try rewrap()
    case "race-reseal": return try reseal()
    case "race-reset": return { try sessions.resetNow() }
    case "race-passphrase": return { try changePassphrase(at: keyPath) }
    case "race-migrate": return { try migrate() }
    case "race-prune": return { try prune() }
    case "race-discard": return { try discard() }
    default: return try hasty(name)
    }
  }

  private func save() throws -> () throws -> Void {
    let archive = try MigrationOperation.archive(objectCount: 4)
    return {
      let session = try sessions.openNow(try SessionIdentifier(Self.session))
      _ = try session.store.loadNow()
      try session.store.saveNow(archive, previous: .replace)
    }
  }

  private func rewrap() throws -> () throws -> Void {
    let key = try sessionKey()
    let recipient = SealRecipient.x25519(try X25519Identity.generate().recipient)
    return {
      try SealedFile.rewrap(
        archivePath, with: [.key(key)], adding: [recipient], keepsUnnamedSlots: true,
        context: try context(of: archivePath))
    }
  }

  private func reseal() throws -> () throws -> Void {
    let key = try sessionKey()
    // A further slot shows whether the file was sealed again.
    let recipients = [SealRecipient.key(key), .key(try .generate())]
    return {
      try SealedFile.reseal(
        archivePath, with: [.key(key)], for: recipients, context: try context(of: archivePath))
    }
  }

  private func migrate() throws {
    // Each session is migrated separately; another one may be removed meanwhile.
    for file in try sessions.migrateNow(with: MigrationOperation.plan())
    where file.path == archivePath {
      if case .failed(let error) = file.outcome { throw error }
      return
    }
    throw KeepsakeError(.stateAbsent, "nothing to migrate")
  }

  private func prune() throws {
    for removal in try sessions.pruneNow() {
      if let failure = removal.failure { throw failure }
    }
  }

  private func discard() throws {
    try sessions.removeNow(try SessionIdentifier(Self.session))
  }

  private func changePassphrase(at path: String) throws {
    try SealKey.changePassphrase(
      at: path, from: Self.passphrase(0), to: Self.passphrase(1), cost: Self.cost)
  }

  private func sessionKey() throws -> SealKey {
    try AppKeyStore(path: keyPath).existingKey()
      .combined(with: SealKey.read(at: sessionPath + "/key"))
  }

  /// The context of a state, as its file states it.
  private func context(of path: String) throws -> [UInt8] {
    try SealedFile.inspect(path).statePurpose?.context ?? []
  }

  private static func passphrase(_ index: Int) throws -> SealPassphrase {
    let bytes = Array(passphrases[index].utf8)
    return try SealPassphrase(copying: bytes.span)
  }

  /// The store of the app's key, for an app that knows both passphrases.
  private struct AppKeyStore: KeyStore {
    let path: String

    func existingKey() throws(KeepsakeError) -> SealKey {
      do {
        return try (try? SealKey.read(at: path, passphrase: RaceOperation.passphrase(0)))
          ?? SealKey.read(at: path, passphrase: RaceOperation.passphrase(1))
      } catch {
        throw KeepsakeError(.keyUnavailable, "\(error)")
      }
    }

    func existingOrNewKey() throws(KeepsakeError) -> SealKey {
      if FileManager.default.fileExists(atPath: path) { return try existingKey() }
      do {
        return try SealKey.create(
          at: path, passphrase: RaceOperation.passphrase(0), cost: RaceOperation.cost)
      } catch let error as SealError where error.code == .alreadyExists {
        return try existingKey()
      } catch {
        throw KeepsakeError(.storeUnavailable, "\(error)")
      }
    }

    func belongs(to directory: StateDirectory) -> Bool { path == directory.keyPath }

    func setKeyAside() throws(KeepsakeError) { try KeyFileStore(path: path).setKeyAside() }
  }
}

// MARK: - Planted defects

// Operations of programs that ignore Spec/replacement.md, section 6, and Spec/state.md. The tests have to
// detect each.
extension RaceOperation {
  private func hasty(_ name: String) throws -> (() throws -> Void)? {
    switch name {
    case "hasty-rewrap": try onCopy(of: archivePath, rewrap(at:))
    case "hasty-passphrase": { try onCopy(of: keyPath, changePassphrase(at:))() }
    case "hasty-move": { try moveByLink() }
    case "hasty-save": try saveWithoutLocks()
    case "hasty-discard": { try discardWithoutLocks() }
    case "hasty-stray": { try leaveStray() }
    default: nil
    }
  }

  /// Changes a copy, synchronises it, and renames it over the file: saves in between are lost.
  private func onCopy(
    of path: String, _ change: @escaping (String) throws -> Void
  ) throws -> () throws -> Void {
    {
      let copy = path + ".copy"
      umask(0o077)
      let bytes = try DurableFile.read(at: path, upTo: 1 << 20)
      try Data(bytes).write(to: URL(fileURLWithPath: copy))
      defer { try? FileManager.default.removeItem(atPath: copy) }
      try change(copy)
      try Data(contentsOf: URL(fileURLWithPath: copy))
        .write(to: URL(fileURLWithPath: path), options: .atomic)
    }
  }

  private func rewrap(at path: String) throws {
    let recipient = SealRecipient.x25519(try X25519Identity.generate().recipient)
    try SealedFile.rewrap(
      path, with: [.key(try sessionKey())], adding: [recipient], keepsUnnamedSlots: true,
      context: try context(of: path))
  }

  /// Sets the archive aside under a second name, then removes the first name without checking its file.
  private func moveByLink() throws {
    try DurableFile.preserve(archivePath, as: archivePath + ".set-aside-1")
    try DurableFile.remove(at: archivePath)
  }

  /// Seals with the old keys, though they may have been set aside or erased since.
  private func saveWithoutLocks() throws -> () throws -> Void {
    let archive = try MigrationOperation.archive(objectCount: 4)
    let key = try sessionKey()
    let context = try context(of: archivePath)
    let options = SealOptions(context: context, publicMetadata: context)
    return {
      try SealedFile.seal(archive.span, to: archivePath, for: [.key(key)], options: options)
    }
  }

  private func discardWithoutLocks() throws {
    try DurableFile.erase(at: sessionPath + "/key")
    try DurableFile.remove(at: archivePath)
  }

  /// Gives up when another process was faster, and leaves its temporary file.
  private func leaveStray() throws {
    let before = try DurableFile.read(at: archivePath, upTo: 1 << 20)
    try DurableFile.replace(
      at: sessionPath + "/.0123456789abcdef.sealtmp", with: before.span)
    guard try DurableFile.read(at: archivePath, upTo: 1 << 20) == before else {
      throw KeepsakeError(.storeUnavailable, "another process has replaced the archive")
    }
    try DurableFile.remove(at: sessionPath + "/.0123456789abcdef.sealtmp")
  }
}
