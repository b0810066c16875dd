public import KeepsakeFiles

// Stores a raw key in a file that only its owner can read.

extension SealKey {
  /// Makes a new key and stores it durably in a new file in an existing directory.
  ///
  /// The file has mode 0600 and 48 bytes (Spec/seal.md, section 9). It protects against other users of the
  /// machine and against an attacker who has only the sealed files. It does not protect against programs of
  /// the same user. An existing file is never replaced: it may be the only key to sealed files.
  ///
  /// Throws ``SealError`` with `alreadyExists`, `directoryAbsent`, `permissionDenied`,
  /// `readOnlyFileSystem`, `noSpace`, `durabilityUnknown` and others.
  public static func create(at path: some FilePathConvertible) throws(SealError) -> SealKey {
    try SecretFile.create(at: path.filePath, generate) { key, path throws(SealError) in
      try key.write(to: path)
    }
  }

  /// Stores this key in a new file in an existing directory; an existing file is never replaced.
  ///
  /// Throws ``SealError``, as ``create(at:)`` does.
  public func write(to path: some FilePathConvertible) throws(SealError) {
    let path = path.filePath
    do throws(SealError) {
      try SecretFile.create(try KeyFile.encode(self), at: path)
    } catch {
      throw error.at(path)
    }
  }

  /// Replaces the key in a file durably; the caller has stored the old key elsewhere.
  package static func replace(at path: String, with key: SealKey) throws(SealError) {
    do throws(SealError) {
      let pending = try callingFiles { () throws(FileError) in
        try PendingFile(at: path, mode: 0o600)
      }
      try pending.write(try KeyFile.encode(key))
      try callingFiles { () throws(FileError) in try pending.replaceTarget() }
    } catch {
      throw error.at(path)
    }
  }

  /// Reads the key of a file that ``create(at:)`` made; a link is not followed.
  ///
  /// - Throws: ``SealError`` with `keyFileAbsent`, `notRegularFile`, `keyFileNotOwned`,
  ///   `keyFileOpenPermissions`, `keyFileWrongLength`, `notKeyFile`, `keyFileDamaged`,
  ///   `permissionDenied` and others. Reading never makes a new key.
  public static func read(at path: some FilePathConvertible) throws(SealError) -> SealKey {
    try read(at: path.filePath, isCredential: false)
  }

  /// Reads the key of a file that the service manager passes to a service: the file may belong to root, and its
  /// group bits, which show the mask of its access list, may allow reading.
  package static func readCredential(at path: String) throws(SealError) -> SealKey {
    try read(at: path, isCredential: true)
  }

  private static func read(at path: String, isCredential: Bool) throws(SealError) -> SealKey {
    do throws(SealError) {
      let (file, status) = try SecretFile.open(path, isCredential: isCredential)
      guard status.size == UInt64(KeyFile.length),
        let contents = try SecretBytes.reading(count: KeyFile.length, from: file, path: path)
      else { throw SecretFile.wrongLength(status.size, expected: KeyFile.length) }
      return try KeyFile.decode(contents)
    } catch {
      throw error.at(path)
    }
  }
}

/// The bytes of a key file (Spec/seal.md, section 9).
enum KeyFile {
  static let magic: [UInt8] = [0x89, 0x4B, 0x53, 0x4B, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let checkLength = 8
  static let length = 48

  /// Magic, key, check.
  static func encode(_ key: SealKey) throws(SealError) -> SecretBytes {
    let check = try Blake2b.hash(try SecretBytes(joining: magic, key.secret))
    return try SecretBytes(joining: magic, key.secret, Array(check[..<checkLength]))
  }

  static func decode(_ contents: SecretBytes) throws(SealError) -> SealKey {
    guard contents.publicBytes(0..<8) == magic else { throw SealError(.notKeyFile) }
    // The check tells a damaged key file from a key that fits no file.
    let check = try Blake2b.hash(try contents.slice(0..<40))
    guard contents.publicBytes(40..<48) == Array(check[..<checkLength]) else {
      throw SealError(.keyFileDamaged)
    }
    return SealKey(secret: try contents.slice(8..<40))
  }
}

/// Writes and opens files with secrets: only their owner can read them, and an existing one is never replaced
/// (Spec/seal.md, section 9).
enum SecretFile {
  /// Makes a new secret and stores it in a new file by `store`; makes no secret when a file already exists.
  static func create<Secret>(
    at path: String, _ make: () throws(SealError) -> Secret,
    storing store: (Secret, String) throws(SealError) -> Void
  ) throws(SealError) -> Secret {
    do throws(SealError) {
      try callingFiles { () throws(FileError) in try DurableFile.requireAbsent(path) }
      let secret = try make()
      try store(secret, path)
      return secret
    } catch {
      throw error.at(path)
    }
  }

  /// Writes a new file with mode 0600; a file that appears meanwhile is not replaced.
  static func create(_ contents: SecretBytes, at path: String) throws(SealError) {
    let pending = try callingFiles { () throws(FileError) in
      try PendingFile(at: path, mode: 0o600)
    }
    try pending.write(contents)
    try callingFiles { () throws(FileError) in try pending.createTarget() }
  }

  /// Opens a file that only its owner can read.
  ///
  /// A credential of a service may also belong to root, and have an access list whose mask replaces the
  /// group's permissions (Spec/seal.md, section 9).
  static func open(
    _ path: String, isCredential: Bool = false
  ) throws(SealError) -> (file: FileDescriptor, status: FileStatus) {
    do throws(SealError) {
      let (file, status) = try callingFiles { () throws(FileError) in
        try FileLocation(path).openRegularFile()
      }
      try requireSafe(status, isCredential: isCredential)
      return (file, status)
    } catch  where error.code == .fileAbsent {
      throw SealError(.keyFileAbsent, path: path)
    }
  }

  static func wrongLength(_ found: UInt64, expected: Int) -> SealError {
    SealError(.keyFileWrongLength, detail: "it has \(found) bytes instead of \(expected)")
  }

  /// Section 9: another user who can read the file has the key, and one who can write it can replace the key.
  static func requireSafe(
    _ status: FileStatus, isCredential: Bool = false
  ) throws(SealError) {
    guard status.isOwnedByEffectiveUser || isCredential && status.owner == 0 else {
      throw SealError(.keyFileNotOwned, detail: "user \(status.owner)")
    }
    guard status.permissions & (isCredential ? 0o037 : 0o077) == 0 else {
      throw SealError(
        .keyFileOpenPermissions,
        detail: "mode 0" + String(status.permissions, radix: 8))
    }
  }
}
