internal import CSodium

/// `randombytes`: the operating system's generator, for values that are no secret.
enum RandomBytes {
  static func make(count: Int) throws(SealError) -> [UInt8] {
    try Sodium.requireReady()
    return try unsafe [UInt8].filled(count) { target in
      if let start = target.baseAddress { unsafe randombytes_buf(start, count) }
    }
  }
}
