import KeepsakeFiles

/// Random access to the bytes of a sealed file that is stored elsewhere: in remote storage, in a part of a
/// larger file, in a database.
///
/// Each call reads whole chunks or the header. ``SealedFile/ciphertextRange(forPlaintext:)`` returns the
/// bytes that a read will request, so that an app can fetch them ahead. The bytes are verified like those of
/// any file; the source need not be trusted.
public protocol SealedFileSource: Sendable {
  /// The size of the sealed file in bytes; it must not change.
  var byteCount: Int { get }

  /// Reads a part of the sealed file; several threads may call this at once.
  ///
  /// - Parameter range: Offsets between 0 and ``byteCount``.
  /// - Returns: As many bytes as `range` has.
  /// - Throws: Any error; the caller gets it as ``SealError`` with `sourceFailed`.
  func read(_ range: Range<Int>) throws -> [UInt8]
}

/// The source of the bytes of a sealed file: an open file, memory, or the app's own source.
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
      let bytes = try callingFiles { () throws(FileError) in
        try file.readExactly(count, at: offset, path: path)
      }
      if let bytes { return bytes }
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
  /// Calls `body` with `count` bytes from `offset`: in place if the source is memory, else read into
  /// `scratch`, which has space for them.
  ///
  /// A file that has shrunk since it was opened throws `truncated`.
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
