/// Where the bytes of a sealed file come from: an open file or memory.
enum SealedSource: Sendable {
  case file(FileDescriptor, path: String, size: UInt64)
  case memory([UInt8])

  init(path: String) throws(SealError) {
    let (file, status) = try FileLocation(path).openRegularFile()
    self = .file(file, path: path, size: status.size)
  }

  init(bytes: [UInt8]) { self = .memory(bytes) }

  var size: UInt64 {
    switch self {
    case .file(_, _, let size): size
    case .memory(let bytes): UInt64(bytes.count)
    }
  }

  /// Exactly `count` bytes from `offset`.
  ///
  /// A file that has shrunk since it was opened is truncated.
  func read(_ count: Int, at offset: UInt64) throws(SealError) -> [UInt8] {
    switch self {
    case .file(let file, let path, _):
      if let bytes = try file.readExactly(count, at: offset, path: path) { return bytes }
      throw SealError(.truncated, detail: "it has become shorter")
    case .memory(let bytes):
      guard let start = Int(exactly: offset), start <= bytes.count, count <= bytes.count - start
      else { throw SealError(.truncated) }
      return Array(bytes[start..<start + count])
    }
  }

  /// The header, once the rules that need no key hold and the size is exactly as it says.
  func header(policy: SealPolicy) throws(SealError) -> SealedHeader {
    let length = Int(min(size, UInt64(SealFormat.preambleLength)))
    let preamble = try Preamble(parsing: try read(length, at: 0), policy: policy)
    // Section 7, step 3: the size equation finds truncation and appended bytes at once.
    let expected = ChunkLayout(preamble).fileSize
    guard size >= expected else {
      throw SealError(.truncated, detail: "\(size) of \(expected) bytes")
    }
    guard size == expected else {
      throw SealError(.trailingBytes, detail: "\(size) instead of \(expected) bytes")
    }
    return try SealedHeader(
      parsing: try read(preamble.headerLength, at: 0), preamble: preamble)
  }
}
