/// What the files that keep secrets have in common: only their owner can read them, and none is ever
/// replaced (Spec/seal.md, section 9).
enum SecretFile {
  /// Writes a new file with mode 0600; also when one appears there meanwhile, it is not replaced.
  static func create(_ contents: SecretBytes, at path: String) throws(SealError) {
    let pending = try PendingFile(at: path, mode: 0o600)
    try pending.write(contents)
    try pending.createTarget()
  }

  /// Opens a file that only its owner can read.
  ///
  /// A credential of a service may be root's, too, and have an access list, whose mask stands in the place of the
  /// group's permissions (Spec/seal.md, section 9).
  static func open(
    _ path: String, isCredential: Bool = false
  ) throws(SealError) -> (file: FileDescriptor, status: FileStatus) {
    do throws(SealError) {
      let (file, status) = try FileLocation(path).openRegularFile()
      try requireSafe(status, isCredential: isCredential)
      return (file, status)
    } catch  where error.code == .fileAbsent {
      throw SealError(.keyFileAbsent, path: path)
    }
  }

  static func wrongLength(_ found: UInt64, expected: Int) -> SealError {
    SealError(.keyFileWrongLength, detail: "it has \(found) bytes instead of \(expected)")
  }

  /// Section 9: whoever else can read or write the file has the key or can exchange it.
  private static func requireSafe(_ status: FileStatus, isCredential: Bool) throws(SealError) {
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
