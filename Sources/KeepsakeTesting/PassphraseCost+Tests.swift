public import Keepsake

extension PassphraseCost {
  /// The minimum cost that the format allows, for fast tests with passphrases: 1 pass over 8 KiB.
  ///
  /// It protects nothing, so it is available to tests only.
  public static let forTests = PassphraseCost(passes: 1, memoryByteCount: 8 << 10)
}
