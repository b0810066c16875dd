public import KeepsakeFiles

// Stores a raw key in a file that a passphrase opens.

extension SealKey {
  /// Makes a new key and stores it durably in a new file that a passphrase opens.
  ///
  /// The file has mode 0600 and holds the key, wrapped under the passphrase (Spec/seal.md, section 9.4).
  /// Argon2id runs once, when the file is opened; files sealed with the key have raw-key slots, which cost
  /// nothing. An attacker who copies the file can guess passphrases as fast as their machines allow. An
  /// existing file is never replaced: it may hold the only key to sealed files.
  ///
  /// - Parameters:
  ///   - path: A path in an existing directory.
  ///   - passphrase: The passphrase of the file.
  ///   - cost: The cost of each guess at the passphrase.
  /// - Returns: The new key.
  /// - Throws: ``SealError``, as ``create(at:)`` does.
  /// - Complexity: The time and memory of `cost`.
  public static func create(
    at path: some FilePathConvertible, passphrase: SealPassphrase, cost: PassphraseCost = .standard
  ) throws(SealError) -> SealKey {
    try SecretFile.create(at: path.filePath, generate) { key, path throws(SealError) in
      try key.write(to: path, passphrase: passphrase, cost: cost)
    }
  }

  /// Stores this key in a new file that a passphrase opens; an existing file is never replaced.
  ///
  /// Parameters, errors and complexity are those of ``create(at:passphrase:cost:)``.
  public func write(
    to path: some FilePathConvertible, passphrase: SealPassphrase, cost: PassphraseCost = .standard
  ) throws(SealError) {
    let path = path.filePath
    do throws(SealError) {
      let contents = try PassphraseKeyFile.encode(self, passphrase, cost)
      try callingFiles { () throws(FileError) in
        try DurableFile.createExclusively(at: path, with: contents.span)
      }
    } catch {
      throw error.at(path)
    }
  }

  /// Reads the cost of each guess at the passphrase of a file; no key is derived.
  ///
  /// Compare it with the cost that you would use today. To raise it, call `changePassphrase`, also with the same
  /// passphrase.
  ///
  /// - Parameter path: The path of the file; a link is not followed.
  /// - Returns: The cost as the file states it. An attacker who can write the file can state another one.
  /// - Throws: ``SealError``, as ``read(at:)`` does.
  public static func passphraseCost(at path: some FilePathConvertible) throws(SealError)
    -> PassphraseCost
  {
    let path = path.filePath
    do throws(SealError) {
      let (contents, _, _) = try contents(of: path)
      return try PassphraseKeyFile.slot(in: contents).passphraseCost
    } catch {
      throw error.at(path)
    }
  }

  /// Opens a file with its passphrase, and returns its key; a link is not followed.
  ///
  /// The policy limits the cost of an attempt.
  ///
  /// - Throws: ``SealError`` with `noMatchingKey` when the passphrase is wrong, `limitExceeded` when the file
  ///   requires more than `policy` allows, and as ``read(at:)`` does. Reading never makes a new key.
  /// - Complexity: The time and memory that the file requires, within `policy`.
  public static func read(
    at path: some FilePathConvertible, passphrase: SealPassphrase, policy: SealPolicy = SealPolicy()
  ) throws(SealError) -> SealKey {
    try open(path.filePath, passphrase, policy).key
  }

  /// The key, and the open file that it was read from.
  private static func open(
    _ path: String, _ passphrase: SealPassphrase, _ policy: SealPolicy
  ) throws(SealError) -> (key: SealKey, file: FileDescriptor, status: FileStatus) {
    do throws(SealError) {
      let (contents, file, status) = try contents(of: path)
      return (try PassphraseKeyFile.decode(contents, passphrase, policy), file, status)
    } catch {
      throw error.at(path)
    }
  }

  private static func contents(
    of path: String
  ) throws(SealError) -> (contents: [UInt8], file: FileDescriptor, status: FileStatus) {
    let (file, status) = try SecretFile.open(path)
    guard status.size == UInt64(PassphraseKeyFile.length),
      let contents = try callingFiles({ () throws(FileError) in
        try file.readExactly(PassphraseKeyFile.length, at: 0, path: path)
      })
    else { throw SecretFile.wrongLength(status.size, expected: PassphraseKeyFile.length) }
    return (contents, file, status)
  }

  /// Changes the passphrase of a file; the key in it stays.
  ///
  /// An older copy of the file still opens with the old passphrase.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - passphrase: The old passphrase.
  ///   - newPassphrase: The new passphrase.
  ///   - cost: The cost of each guess at the new passphrase.
  ///   - policy: Limits the cost of an attempt with the old passphrase.
  /// - Throws: ``SealError``, and then the file is unchanged; `changedMeanwhile` when another writer has
  ///   replaced the file meanwhile.
  public static func changePassphrase(
    at path: some FilePathConvertible, from passphrase: SealPassphrase,
    to newPassphrase: SealPassphrase,
    cost: PassphraseCost = .standard, policy: SealPolicy = SealPolicy()
  ) throws(SealError) {
    let path = path.filePath
    // The file stays open, so that no other file can be mistaken for it.
    let (key, file, status) = try open(path, passphrase, policy)
    let contents = try PassphraseKeyFile.encode(key, newPassphrase, cost)
    try callingFiles { () throws(FileError) in
      let pending = try PendingFile(at: path)
      try pending.write(contents.span, at: 0)
      try pending.replaceTarget(expecting: status)
    }
    withExtendedLifetime(file) {}
  }
}

/// The bytes of a passphrase key file (Spec/seal.md, section 9.4).
enum PassphraseKeyFile {
  static let magic: [UInt8] = [0x89, 0x4B, 0x53, 0x50, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let slotOffset = 8 + SealFormat.fileIDLength
  private static let checkOffset = slotOffset + SealFormat.slotLength
  private static let checkLength = 16
  static let length = checkOffset + checkLength

  static func encode(
    _ key: SealKey, _ passphrase: SealPassphrase, _ cost: PassphraseCost
  ) throws(SealError) -> [UInt8] {
    let recipient = SealRecipient.passphrase(passphrase, cost: cost)
    let fileID = try RandomBytes.make(count: SealFormat.fileIDLength)
    let slot = try Slot(
      wrapping: key.secret, for: recipient, fileID: fileID,
      randomness: try .fresh(for: recipient), mark: .keyFile)
    let contents = magic + fileID + slot.bytes
    return contents + (try check(of: contents))
  }

  /// The slot of a file, after the checks that need no passphrase.
  static func slot(in contents: [UInt8]) throws(SealError) -> Slot {
    guard contents.starts(with: magic) else { throw SealError(.notKeyFile) }
    guard Array(contents[checkOffset...]) == (try check(of: Array(contents[..<checkOffset]))) else {
      throw SealError(.keyFileDamaged)
    }
    let slot: Slot
    do throws(SealError) {
      slot = try Slot(parsing: Array(contents[slotOffset..<checkOffset]), isInKeyFile: true)
    } catch {
      throw SealError(.keyFileDamaged, detail: error.detail)
    }
    guard slot.isPassphrase else {
      throw SealError(.keyFileDamaged, detail: "its slot is not that of a passphrase key file")
    }
    return slot
  }

  static func decode(
    _ contents: [UInt8], _ passphrase: SealPassphrase, _ policy: SealPolicy
  ) throws(SealError) -> SealKey {
    let slot = try slot(in: contents)
    let fileID = Array(contents[8..<slotOffset])
    let cost = [(slot: nil as Int?, cost: slot.passphraseCost)]
    try policy.requireAffordable(cost, passphraseCount: 1)
    if let key = try unwrapped(slot, with: passphrase, fileID) { return key }
    // The text as it was typed, if its form C differs and the cost of both is allowed.
    if let unnormalized = passphrase.unnormalized,
      (try? policy.requireAffordable(cost, passphraseCount: 2)) != nil,
      let key = try unwrapped(slot, with: unnormalized, fileID)
    {
      return key
    }
    throw SealError(.noMatchingKey)
  }

  /// The key; nil when the passphrase is wrong.
  private static func unwrapped(
    _ slot: Slot, with passphrase: SealPassphrase, _ fileID: [UInt8]
  ) throws(SealError) -> SealKey? {
    guard let key = try slot.keyEncryptionKey(of: .passphrase(passphrase), fileID: fileID) else {
      return nil
    }
    return switch try slot.unwrap(with: key, fileID: fileID) {
    case .dataKey(let secret): SealKey(secret: secret)
    case .tampered: throw SealError(.keyFileDamaged, detail: "its key does not unwrap")
    case .otherKey: nil
    }
  }

  private static func check(of contents: [UInt8]) throws(SealError) -> [UInt8] {
    Array(try Blake2b.hash(contents)[..<checkLength])
  }
}
