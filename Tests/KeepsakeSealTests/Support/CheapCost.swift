@testable import KeepsakeSeal

extension PassphraseCost {
  /// The least cost that the format allows, so that tests are quick.
  static let cheap = PassphraseCost(passes: 1, memoryByteCount: 8 << 10)
}
