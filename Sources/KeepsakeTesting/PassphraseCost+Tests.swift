public import Keepsake

extension PassphraseCost {
  /// The least that the format allows, so that tests with passphrases are quick: 1 pass over 8 KiB.
  ///
  /// It protects nothing, and so is offered to tests alone.
  public static let forTests = PassphraseCost(passes: 1, memoryByteCount: 8 << 10)
}
