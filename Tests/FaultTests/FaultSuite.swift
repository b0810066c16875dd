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
}
