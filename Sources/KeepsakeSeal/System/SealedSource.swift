/// Where the bytes of a sealed file can be read at any place: remote storage, a part of a larger file,
/// a database.
///
/// Each call asks for whole chunks or for the header. ``SealedFile/ciphertextRange(forPlaintext:)``
/// tells beforehand which bytes a read will ask for, so that they can be fetched ahead. What the
/// source returns is verified like any file; it need not be trusted.
public protocol SealedFileSource: Sendable {
  /// How many bytes the sealed file has; it must not change.
  var byteCount: Int { get }

  /// Reads a part of the sealed file; called from several threads at once.
  ///
  /// - Parameter range: Offsets between 0 and ``byteCount``.
  /// - Returns: As many bytes as `range` has.
  /// - Throws: Any error; the caller gets it as ``SealError`` with `sourceFailed`.
  func read(_ range: Range<Int>) throws -> [UInt8]
}

/// Where the bytes of a sealed file come from: an open file, memory, or something of the app's.
enum SealedSource: Sendable {
  case file(FileDescriptor, path: String, size: UInt64)
  case memory([UInt8])
  case custom(any SealedFileSource)

  init(bytes: [UInt8]) { self = .memory(bytes) }

  var size: UInt64 {
    switch self {
    case .file(_, _, let size): size
    case .memory(let bytes): UInt64(bytes.count)
    case .custom(let source): UInt64(clamping: source.byteCount)
    }
  }

  /// Exactly `count` bytes from `offset`.
  func read(_ count: Int, at offset: UInt64) throws(SealError) -> [UInt8] {
    switch self {
    case .file(let file, let path, _):
      if let bytes = try file.readExactly(count, at: offset, path: path) { return bytes }
      throw SealError(.truncated, detail: "it has become shorter")
    case .memory(let bytes):
      guard let start = Int(exactly: offset), start <= bytes.count, count <= bytes.count - start
      else { throw SealError(.truncated) }
      return Array(bytes[start..<start + count])
    case .custom(let source):
      return try SealedSource.read(count, at: offset, from: source)
    }
  }

  static func read(
    _ count: Int, at offset: UInt64, from source: any SealedFileSource
  ) throws(SealError) -> [UInt8] {
    guard let start = Int(exactly: offset), start <= Int.max - count else {
      throw SealError(.truncated)
    }
    let bytes: [UInt8]
    do {
      bytes = try source.read(start..<start + count)
    } catch {
      throw SealError(.sourceFailed, detail: "\(error)", underlyingError: error)
    }
    guard bytes.count == count else {
      throw SealError(.sourceFailed, detail: "\(bytes.count) bytes instead of \(count)")
    }
    return bytes
  }
}

extension SealedSource {
  /// Calls `body` with `count` bytes from `offset`: where they stand, when they stand in memory, or
  /// read into `scratch`, which has room for them.
  ///
  /// A file that has shrunk since it was opened is truncated.
  func withBytes<Result>(
    _ count: Int, at offset: UInt64, scratch: ScratchBuffer,
    _ body: (UnsafeRawBufferPointer) throws(SealError) -> Result
  ) throws(SealError) -> Result {
    switch self {
    case .file(let file, let path, _):
      let buffer = unsafe scratch.sealed(count)
      let received: Int
      do throws(SystemFailure) {
        received = try unsafe file.read(into: buffer, at: offset)
      } catch {
        throw SealError(error, path: path)
      }
      guard received == count else {
        throw SealError(.truncated, detail: "it has become shorter")
      }
      return try unsafe body(UnsafeRawBufferPointer(buffer))
    case .memory(let bytes):
      guard let start = Int(exactly: offset), start <= bytes.count, count <= bytes.count - start
      else { throw SealError(.truncated) }
      return try unsafe bytes.span.extracting(start..<start + count).withUnsafeBytes(body)
    case .custom(let source):
      let bytes = try SealedSource.read(count, at: offset, from: source)
      return try unsafe bytes.span.withUnsafeBytes(body)
    }
  }
}
