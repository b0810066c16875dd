/// Changes files so that a power cut leaves either the old state or the new one, never a mixture.
///
/// When a call returns, the change has reached stable storage. When it throws an error other than `durabilityUnknown`,
/// nothing has changed. A call refuses links, directories, pipes, sockets and devices, continues after a signal, and
/// uses the same directory in all its steps. The protocol is Spec/replacement.md.
public enum DurableFile {
  /// Writes a file, in place of the regular file at the path if there is one.
  ///
  /// - Parameters:
  ///   - path: A path in an existing directory.
  ///   - contents: All bytes of the new file.
  ///   - mode: The permissions of the new file, whatever the process's mask is.
  /// - Throws: ``FileError`` with `directoryAbsent`, `notRegularFile`, `permissionDenied`,
  ///   `readOnlyFileSystem`, `noSpace`, `durabilityUnknown` and others.
  public static func replace(
    at path: some FilePathConvertible, with contents: Span<UInt8>, mode: UInt32 = 0o600
  ) throws(FileError) {
    let pending = try PendingFile(at: path.filePath, mode: mode)
    try pending.write(contents, at: 0)
    try pending.replaceTarget()
  }

  /// Changes an existing file, which keeps its permissions, and its owner and group if this user may set them.
  ///
  /// Throws as `replace(at:with:mode:)` does, and `changedMeanwhile` when another writer has replaced the file
  /// meanwhile.
  package static func change(at path: String, to contents: [UInt8]) throws(FileError) {
    let (file, status) = try FileLocation(path).openRegularFile()
    let pending = try PendingFile(at: path)
    try pending.write(contents, at: 0)
    try pending.replaceTarget(expecting: status)
    // The file stays open, so that no other file can be mistaken for it.
    withExtendedLifetime(file) {}
  }

  /// Writes a file at an unused path; when several callers do so at once, one succeeds.
  ///
  /// - Parameters:
  ///   - path: A path in an existing directory.
  ///   - contents: All bytes of the new file.
  ///   - mode: The permissions of the new file, whatever the process's mask is.
  /// - Throws: ``FileError`` with `alreadyExists` when something is at the path, or as
  ///   `replace(at:with:mode:)` does.
  public static func createExclusively(
    at path: some FilePathConvertible, with contents: Span<UInt8>, mode: UInt32 = 0o600
  ) throws(FileError) {
    let path = path.filePath
    try requireAbsent(path)
    let pending = try PendingFile(at: path, mode: mode)
    try pending.write(contents, at: 0)
    try pending.createTarget()
  }

  /// Reads a regular file to its end, also when the system states a wrong size.
  ///
  /// The call never blocks on a pipe and never follows a link.
  ///
  /// - Parameters:
  ///   - path: The path of a regular file.
  ///   - limit: The most bytes to allocate for it.
  /// - Returns: All bytes of the file.
  /// - Throws: ``FileError`` with `fileAbsent`, `notRegularFile`, `limitExceeded` and others.
  public static func read(at path: some FilePathConvertible, upTo limit: Int) throws(FileError)
    -> [UInt8]
  {
    let path = path.filePath
    let location = try FileLocation(path)
    let (file, status) = try location.openRegularFile()
    guard let size = Int(exactly: status.size), size <= limit, size < .max else {
      throw FileError(
        .limitExceeded, path: path, detail: "\(status.size) bytes, limit \(limit)")
    }
    // One byte more than the stated size shows whether the file ends there.
    var bytes = try file.readUp(to: size + 1, at: 0, path: path)
    if bytes.count == size { return bytes }
    while bytes.count > size, bytes.count <= limit {
      let next = try file.readUp(to: pieceLength, at: UInt64(bytes.count), path: path)
      if next.isEmpty { break }
      bytes += next
    }
    let after = try location.calling { () throws(SystemFailure) in try file.status() }
    guard after.isUnchanged(since: status) else {
      throw FileError(.changedMeanwhile, path: path, detail: "its size changed while it was read")
    }
    guard bytes.count <= limit else {
      throw FileError(.limitExceeded, path: path, detail: "more than \(limit) bytes, the limit")
    }
    return bytes
  }

  /// The bytes to read at a time from a file that states the wrong size.
  private static let pieceLength = 1 << 16

  package static func requireAbsent(_ path: String) throws(FileError) {
    let location = try FileLocation(path)
    guard try location.status(in: location.openDirectory()) == nil else {
      throw FileError(.alreadyExists, path: path)
    }
  }
}

/// Writes a file piece by piece; when it is complete, it replaces the file at its path.
///
/// Until then nothing changes. A writer that is dropped leaves nothing behind.
package struct DurableFileWriter: ~Copyable {
  private let pending: PendingFile
  private var offset: UInt64 = 0

  package init(at path: String, mode: UInt32 = 0o600) throws(FileError) {
    pending = try PendingFile(at: path, mode: mode, isNameless: true)
  }

  package mutating func write(_ bytes: Span<UInt8>) throws(FileError) {
    try pending.write(bytes, at: offset)
    offset += UInt64(bytes.count)
  }

  package consuming func finish() throws(FileError) { try pending.replaceTarget() }
}
