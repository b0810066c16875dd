import Foundation
import Testing

/// Breaks real processes, files and file systems.
///
/// Run with `.ci/faults`. Otherwise all tests are skipped, because they mount, kill and wait.
@Suite(.serialized, .enabled(if: FaultSettings.isWanted, "run .ci/faults"))
struct FaultSuite {}

/// The settings of the fault tests, from the environment.
enum FaultSettings {
  /// True when a test whose requirements are missing fails instead of being skipped.
  static let isRequired = ProcessInfo.processInfo.environment["KEEPSAKE_REQUIRE_FAULTS"] == "1"
  static let isWanted =
    isRequired || ProcessInfo.processInfo.environment["KEEPSAKE_FAULTS"] == "1"

  /// The distance between the calls of a long list at which a fault is made; 1, the default, for every call.
  static let stride = max(
    Int(ProcessInfo.processInfo.environment["KEEPSAKE_FAULT_STRIDE"] ?? "") ?? 1, 1)

  /// The offsets of a list of calls at which faults are made.
  ///
  /// With a stride, each subject of a test starts at another offset, so that together they cover every call.
  static func offsets(count: Int, of turn: Int?) -> StrideTo<Int> {
    Swift.stride(from: (turn ?? 0) * 5 % stride, to: count, by: stride)
  }
}
