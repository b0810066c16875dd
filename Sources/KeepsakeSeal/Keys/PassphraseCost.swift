/// What each guess at a passphrase costs: the parameters of Argon2id (Spec/seal.md, section 4.2).
///
/// The cost is stored in the file, so that any program can open it; it is one of two fixed profiles
/// rather than a measured value, so that no machine writes what another one refuses.
public struct PassphraseCost: Hashable, Sendable {
  /// How many times the memory is passed over.
  public let passes: Int

  /// How much memory is used, in bytes.
  public let memoryByteCount: Int

  package init(passes: Int, memoryByteCount: Int) {
    self.passes = passes
    self.memoryByteCount = memoryByteCount
  }

  /// 3 passes over 256 MiB, about half a second: for computers and current phones.
  public static let standard = PassphraseCost(passes: 3, memoryByteCount: 256 << 20)

  /// 3 passes over 64 MiB, about a tenth of a second: for processes with little memory, such as app
  /// extensions.
  public static let constrained = PassphraseCost(passes: 3, memoryByteCount: 64 << 20)

  /// Whether a guess is cheaper in one of the two respects, so that the other cost should replace this one.
  ///
  /// - Parameter other: What would be written today.
  /// - Returns: Whether this one has fewer passes or less memory.
  public func isLower(than other: PassphraseCost) -> Bool {
    passes < other.passes || memoryByteCount < other.memoryByteCount
  }

  /// Memory times passes, which is what the time is proportional to; never traps.
  var work: UInt64 {
    let (product, overflows) = UInt64(clamping: passes)
      .multipliedReportingOverflow(by: UInt64(clamping: memoryByteCount))
    return overflows ? .max : product
  }
}
