internal import CSodium

/// `randombytes`: the operating system's generator, for values that are no secret.
enum RandomBytes {
  static func make(count: Int) throws(SealError) -> [UInt8] {
    try Sodium.requireReady()
    var bytes = [UInt8](repeating: 0, count: count)
    unsafe bytes.withUnsafeMutableBytes { target in
      if let start = target.baseAddress { unsafe randombytes_buf(start, count) }
    }
    return bytes
  }
}
