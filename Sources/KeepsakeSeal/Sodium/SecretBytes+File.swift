extension SecretBytes {
  /// Reads the first `count` bytes of a file straight into guarded memory, or returns nil when
  /// it ends before.
  static func reading(
    count: Int, from file: FileDescriptor, path: String
  ) throws(SealError) -> SecretBytes? {
    var received = 0
    let secret = try unsafe SecretBytes(count: count) { target throws(SealError) in
      do throws(SystemFailure) {
        received = try unsafe file.read(into: target, at: 0)
      } catch {
        throw SealError(error, path: path)
      }
    }
    return received == count ? secret : nil
  }
}

extension FileDescriptor {
  /// Writes all of a secret at `offset`, straight from its guarded memory.
  func write(_ secret: SecretBytes, at offset: UInt64) throws(SystemFailure) {
    try unsafe secret.withUnsafeBytes { bytes throws(SystemFailure) in
      try unsafe write(bytes, at: offset)
    }
  }
}
