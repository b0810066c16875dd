extension SealedSource {
  /// The regular file at a path; a link is not followed.
  init(path: String) throws(SealError) {
    let (file, status) = try FileLocation(path).openRegularFile()
    self = .file(file, path: path, size: status.size)
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
