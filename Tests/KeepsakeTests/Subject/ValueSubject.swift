internal import Keepsake
internal import KeepsakeTesting

/// A program that adds one to a value under a passphrase: "update" with the lowest cost, "update standard" with the
/// cost of apps.
enum ValueSubject {
  struct Counter: Codable, Sendable { var count = 0 }

  static func run(_ path: String, _ mode: String) throws {
    let isStandard = mode == "update standard"
    let store = SealedValueStore(
      path: path, key: .passphrase("sesame", cost: isStandard ? .standard : .forTests),
      default: Counter(), patience: .seconds(isStandard ? 5 : 60))
    try store.update { $0.count += 1 }
  }
}
