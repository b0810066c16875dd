#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The clock of the system, which can be set.
enum WallClock {
  /// Milliseconds since 1970.
  static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}
