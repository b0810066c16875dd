import Foundation
import Testing

/// Breaks real processes, files and file systems.
///
/// Run with `.ci/faults`: without it all of this is skipped, because it mounts, kills and waits.
@Suite(.serialized, .enabled(if: FaultSettings.isWanted, "run .ci/faults"))
struct FaultSuite {}

/// What the environment asks of the fault tests.
enum FaultSettings {
  /// Whether a test that lacks something fails instead of being skipped.
  static let isRequired = ProcessInfo.processInfo.environment["KEEPSAKE_REQUIRE_FAULTS"] == "1"
  static let isWanted =
    isRequired || ProcessInfo.processInfo.environment["KEEPSAKE_FAULTS"] == "1"

  /// Every how many calls of a long list a fault is made: at every one, unless less time is to be spent.
  static let stride = max(
    Int(ProcessInfo.processInfo.environment["KEEPSAKE_FAULT_STRIDE"] ?? "") ?? 1, 1)

  /// The offsets of a list of calls at which faults are made.
  ///
  /// With a stride, each subject of a test begins elsewhere, so that together they meet every place.
  static func offsets(count: Int, of turn: Int?) -> StrideTo<Int> {
    Swift.stride(from: (turn ?? 0) * 5 % stride, to: count, by: stride)
  }
}
