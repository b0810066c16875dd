public import KeepsakeFiles
public import KeepsakeSeal

/// A key in a file that only its owner can read, beside the state that it protects.
///
/// It protects a copy of the state, such as a backup or a lost disk, as long as the key file is not copied with it.
/// It does not stop programs of the same user; see SECURITY.md. Spec/seal.md defines the layout of the file.
public struct KeyFileStore: KeyStore {
  /// The path of the key file.
  package let path: String

  /// Creates a key store for a key file, as a path or a `URL`; nothing is read or written yet.
  public init(path: some FilePathConvertible) {
    self.path = path.filePath
  }

  /// Reads the key file.
  ///
  /// - Throws: ``KeepsakeError`` with `keyAbsent`, with `keyDamaged` when the file is not an intact key file, and
  ///   with `keyUnavailable` when it belongs to another user or can be read by others.
  public func existingKey() throws(KeepsakeError) -> SealKey {
    try KeepsakeError.readingKey { () throws(SealError) in try SealKey.read(at: path) }
  }

  /// Reads the key file, or makes one with mode 0600 if it is absent.
  ///
  /// Throws ``KeepsakeError`` when the file cannot be used, or cannot be made.
  public func existingOrNewKey() throws(KeepsakeError) -> SealKey {
    let kind: FileKind
    do throws(FileError) {
      kind = try DurableFile.kind(of: path)
    } catch {
      throw KeepsakeError(.storeUnavailable, error)
    }
    guard kind == .absent else { return try existingKey() }
    do throws(SealError) {
      return try SealKey.create(at: path)
    } catch {
      // Another process was faster.
      if error.code == .alreadyExists { return try existingKey() }
      throw KeepsakeError(.storeUnavailable, error)
    }
  }

  /// Whether the path of the key file is that of the directory's key.
  public func belongs(to directory: StateDirectory) -> Bool { path == directory.keyPath }

  /// Renames the entry at the path of the key file, whatever it is, to a free name in the same directory.
  ///
  /// - Throws: ``KeepsakeError`` when the directory cannot be written; with `durabilityUnknown` the file already has
  ///   its new name.
  public func setKeyAside() throws(KeepsakeError) {
    do throws(FileError) {
      _ = try DurableFile.setAside(path, "set-aside")
    } catch {
      throw KeepsakeError(changing: error)
    }
  }
}
