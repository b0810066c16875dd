/// Where the bytes of a sealed file come from: an open file, memory, or something of the app's.
enum SealedSource: Sendable {
  case file(FileDescriptor, path: String, size: UInt64)
  case memory([UInt8])
  case custom(any SealedFileSource)

  init(path: String) throws(SealError) {
    let (file, status) = try FileLocation(path).openRegularFile()
    self = .file(file, path: path, size: status.size)
  }

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
      throw SealError(.sourceFailed, detail: "\(error)")
    }
    guard bytes.count == count else {
      throw SealError(.sourceFailed, detail: "\(bytes.count) bytes instead of \(count)")
    }
    return bytes
  }

  /// The header of a whole file, once the rules that need no key hold.
  func header(policy: SealPolicy) throws(SealError) -> SealedHeader {
    let preamble = try preamble(policy: policy)
    // Section 7, step 3: the size equation finds truncation and appended bytes at once.
    let expected = ChunkLayout(preamble).fileSize
    guard size >= expected else {
      throw SealError(.truncated, detail: "\(size) of \(expected) bytes")
    }
    guard size == expected else {
      throw SealError(.trailingBytes, detail: "\(size) instead of \(expected) bytes")
    }
    return try header(after: preamble)
  }

  /// The first fields, checked against the caps of `policy`.
  func preamble(policy: SealPolicy) throws(SealError) -> Preamble {
    let length = Int(min(size, UInt64(SealFormat.preambleLength)))
    return try Preamble(parsing: try read(length, at: 0), policy: policy)
  }

  /// All of the header, whatever the size of the file.
  func header(after preamble: Preamble) throws(SealError) -> SealedHeader {
    guard size >= UInt64(preamble.headerLength) else {
      throw SealError(.truncated, detail: "it ends within the header")
    }
    return try SealedHeader(
      parsing: try read(preamble.headerLength, at: 0), preamble: preamble)
  }
}
