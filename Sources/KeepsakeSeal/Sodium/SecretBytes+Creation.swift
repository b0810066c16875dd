internal import CSodium

extension SecretBytes {
  /// Fresh random bytes of the operating system.
  static func random(count: Int) throws(SealError) -> SecretBytes {
    try unsafe SecretBytes(count: count) { target in
      if let start = target.baseAddress { unsafe randombytes_buf(start, count) }
    }
  }

  /// A copy of `bytes`; the caller wipes its own.
  convenience init(copying bytes: Span<UInt8>) throws(SealError) {
    // A span cannot be captured, so the address is taken first and used inside its scope.
    try unsafe self.init(count: bytes.count) { target in
      unsafe bytes.withUnsafeBytes { source in unsafe target.copyMemory(from: source) }
    }
  }

  /// `parts` one after the other, each a range of other secret or public bytes.
  convenience init(joining first: [UInt8], _ second: SecretBytes, _ third: [UInt8] = [])
    throws(SealError)
  {
    let total = first.count + second.count + third.count
    try unsafe self.init(count: total) { target in
      unsafe target.copyBytes(from: first)
      unsafe second.withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[first.count...])
          .copyMemory(from: source)
      }
      unsafe UnsafeMutableRawBufferPointer(rebasing: target[(first.count + second.count)...])
        .copyBytes(from: third)
    }
  }

  /// A copy of one range of these bytes.
  func slice(_ range: Range<Int>) throws(SealError) -> SecretBytes {
    try unsafe SecretBytes(count: range.count) { target in
      unsafe withUnsafeBytes { source in
        unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source[range]))
      }
    }
  }

  /// One range of these bytes as ordinary bytes; only for parts that are no secret.
  func publicBytes(_ range: Range<Int>) -> [UInt8] {
    withSpan { source in
      [UInt8].laidOut(range.count) { output in
        for index in range { output.append(source[index]) }
      }
    }
  }

  /// Whether both hold the same bytes, in time that depends on their count only.
  func isEqual(to other: SecretBytes) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        guard let left = left.baseAddress, let right = right.baseAddress else {
          return true
        }
        return unsafe sodium_memcmp(left, right, count) == 0
      }
    }
  }
}
