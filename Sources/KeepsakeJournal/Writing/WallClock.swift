#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The system's clock, which a user can set forward or back.
enum WallClock {
  /// Milliseconds since 1970.
  static var milliseconds: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}
