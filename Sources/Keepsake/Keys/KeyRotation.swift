public import KeepsakeFiles
public import KeepsakeSeal

/// Replaces the key in a key file by a new one, and reseals the files of the old key.
///
/// At each moment the key in the key file opens every file: first all files are sealed for both keys, then the key
/// file is replaced, then all files are sealed for the new key alone, and finally the old key is erased. When the
/// process dies in between, or the disk is full, run it again: it continues where it stopped.
///
/// ```swift
/// let rotation = KeyRotation(
///   keyPath: directory.keyPath,
///   files: [directory.archivePath])
/// try rotation.run()
/// ```
///
/// While it runs, the new key is stored beside the key file with `.next` after its name, and after the replacement
/// the old key with `.old`. The file of a state is locked meanwhile; no other program may save the other files.
/// Earlier copies of the files still open with the old key.
public struct KeyRotation: Sendable {
  /// The path of the key file.
  package let keyPath: String
  /// The paths of all files that the key has sealed; absent files are skipped.
  package let files: [String]
  /// The further recipients of each of the files, who keep their access.
  package let otherRecipients: [SealRecipient]
  /// The key that signs the signed files again; the other files stay unsigned.
  package let signingKey: SealSigningKey?
  /// Called before each change; tests stop the rotation there.
  var willTakeStep: @Sendable () throws(KeepsakeError) -> Void = {}

  /// Creates a rotation; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - keyPath: The key file, as a path or a `URL`.
  ///   - files: All files that the key has sealed, as paths or `URL`s.
  ///   - otherRecipients: The further recipients of each of the files.
  ///   - signingKey: The key that signs the signed files again.
  public init(
    keyPath: some FilePathConvertible, files: [any FilePathConvertible],
    otherRecipients: [SealRecipient] = [], signingKey: SealSigningKey? = nil
  ) {
    self.keyPath = keyPath.filePath
    self.files = files.map { $0.filePath }
    self.otherRecipients = otherRecipients
    self.signingKey = signingKey
  }

  private var nextPath: String { keyPath + ".next" }
  private var oldPath: String { keyPath + ".old" }

  /// Whether a rotation has begun and is not finished; ``run()`` finishes it.
  ///
  /// - Returns: Whether the next key exists.
  /// - Throws: ``KeepsakeError`` when the directory cannot be read.
  public func isUnfinished() throws(KeepsakeError) -> Bool {
    try KeepsakeError.access { () throws(SealError) in try Self.exists(nextPath) }
  }

  /// Replaces the key, or finishes an earlier call; blocks until everything is on stable storage.
  ///
  /// Each file is read into memory as a whole, and its generation increases.
  ///
  /// - Returns: The new key.
  /// - Throws: ``KeepsakeError``: the codes of keys; `slotWouldBeLost` when a file has a slot of an unknown
  ///   recipient; `stateInUse`, `damaged`, `storeUnavailable` and others. The files and the key file then still fit
  ///   each other, and another call continues.
  @discardableResult
  public func run() throws(KeepsakeError) -> SealKey {
    var locks: [FileLock] = []
    for file in files {
      if let lock = try StateDirectory(archivePath: file)?.exclusiveLock() { locks.append(lock) }
    }
    defer { withExtendedLifetime(locks) {} }
    let current = try KeepsakeError.readingKey { () throws(SealError) in
      try SealKey.read(at: keyPath)
    }
    if try !isUnfinished() {
      try willTakeStep()
      _ = try KeepsakeError.readingKey { () throws(SealError) in try SealKey.create(at: nextPath) }
    }
    // The first point of no return: once the next key exists, an error says that a rotation is under way.
    let new: SealKey
    do throws(KeepsakeError) {
      new = try exchange(current)
    } catch {
      throw error.after(
        "A rotation of the key at \(keyPath) is under way, and the key file opens every file.",
        "Run the rotation again to continue.")
    }
    // The second point of no return: the new key is in place.
    do throws(KeepsakeError) {
      try retireOldKey(for: new)
    } catch {
      throw error.after(
        "The key at \(keyPath) was exchanged, and opens every file.",
        "Run the rotation again to continue.")
    }
    return new
  }

  /// Seals every file for both keys, and replaces the key file by the new key.
  private func exchange(_ current: SealKey) throws(KeepsakeError) -> SealKey {
    let new = try KeepsakeError.readingKey { () throws(SealError) in try SealKey.read(at: nextPath)
    }
    if !current.isEqual(to: new) {
      try seal(for: [current, new], dropping: nil)
      try replaceKeyFile(new, of: current)
    }
    return new
  }

  /// Seals every file for the new key alone, erases the old key, and removes the next key file, which marks a
  /// rotation.
  private func retireOldKey(for new: SealKey) throws(KeepsakeError) {
    if try KeepsakeError.access({ () throws(SealError) in try Self.exists(oldPath) }) {
      // After an interrupted erasure the file holds no key, and no file needs one.
      try seal(for: [new], dropping: try? SealKey.read(at: oldPath))
      try willTakeStep()
      try KeepsakeError.access { () throws(FileError) in _ = try DurableFile.erase(at: oldPath) }
    }
    try willTakeStep()
    try KeepsakeError.access { () throws(FileError) in try DurableFile.remove(at: nextPath) }
  }

  /// Links the old key under a second name, then replaces the key file by the new key.
  private func replaceKeyFile(_ new: SealKey, of current: SealKey) throws(KeepsakeError) {
    let isKept = try KeepsakeError.access { () throws(SealError) in try Self.exists(oldPath) }
    if isKept {
      let kept = try KeepsakeError.readingKey { () throws(SealError) in
        try SealKey.read(at: oldPath)
      }
      guard kept.isEqual(to: current) else {
        throw KeepsakeError(
          .storeUnavailable,
          "There is another key at \(oldPath), so the key at \(keyPath) was not exchanged; move it away, and "
            + "run the rotation again.", at: oldPath)
      }
    } else {
      try willTakeStep()
      try KeepsakeError.access { () throws(FileError) in
        try DurableFile.preserve(keyPath, as: oldPath)
      }
    }
    try willTakeStep()
    try KeepsakeError.access { () throws(SealError) in
      try SealKey.replace(at: keyPath, with: new)
    }
  }

  private func seal(for keys: [SealKey], dropping old: SealKey?) throws(KeepsakeError) {
    for file in files {
      do {
        guard try Self.exists(file) else { continue }
        try seal(file, for: keys, dropping: old)
      } catch let error as KeepsakeError {
        throw error
      } catch let error as SealError {
        throw KeepsakeError(opening: error)
      } catch {
        throw KeepsakeError(.storeUnavailable, "\(file) was not resealed: \(error)", at: file)
      }
    }
  }

  private func seal(_ file: String, for keys: [SealKey], dropping old: SealKey?) throws {
    let summary = try SealedFile.inspect(file)
    let context = summary.statedContext
    let slotCount = summary.slotTypes.count - otherRecipients.count
    func opens(_ key: SealKey) -> Bool {
      (try? SealedFile.open(file, with: [.key(key)], context: context)) != nil
    }
    // An earlier call has already sealed the file for these keys.
    if slotCount == keys.count, keys.allSatisfy(opens) { return }
    try willTakeStep()
    let mayDrop = old.map { slotCount == keys.count + 1 && opens($0) } ?? false
    try SealedFile.replaceContent(
      of: file, with: (keys + (old.map { [$0] } ?? [])).map { .key($0) },
      for: keys.map { .key($0) } + otherRecipients, dropsOthers: mayDrop,
      signingKey: summary.isSigned ? signingKey : nil, context: context
    ) { (content: $0, result: ()) }
  }

  private static func exists(_ path: String) throws(SealError) -> Bool {
    try callingFiles { () throws(FileError) in try DurableFile.kind(of: path) } != .absent
  }
}
