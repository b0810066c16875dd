import Foundation
import Testing

/// A requirement of a fault test on the machine.
enum FaultRequirement: String, CaseIterable, Sendable {
  /// strace, and the right to trace and to fix a process's addresses.
  case strace
  /// A C compiler, for the programs in `Tools`.
  case compiler
  /// Mounts in a private name space.
  case mounts
  /// An ext4 image on a loop device.
  case loop
  /// `chattr +i`.
  case immutable
  /// The right to become another user.
  case otherUser

  /// True when the machine meets the requirement; tried once.
  var isMet: Bool {
    switch self {
    case .strace: Self.hasStrace
    case .compiler: Self.hasCompiler
    case .mounts: Self.hasMounts
    case .loop: Self.hasLoop
    case .immutable: Self.hasImmutable
    case .otherUser: Self.hasOtherUser
    }
  }

  private static let hasStrace = succeeds(
    "setarch -R strace -f -o /dev/null -e inject=getpid:error=EIO:when=9 true")
  private static let hasCompiler = succeeds("cc --version")
  private static let hasMounts = succeeds("unshare -m mount -t tmpfs none /mnt")
  private static let hasLoop = succeeds(
    """
    set -e; f=$(mktemp); truncate -s 8M $f; mkfs.ext4 -q -F $f
    unshare -m mount -o loop $f /mnt; rm $f
    """)
  private static let hasImmutable = succeeds(
    "set -e; d=$(mktemp -d); chattr +i $d; ! touch $d/x 2>&1; chattr -i $d; rmdir $d")
  private static let hasOtherUser = succeeds("setpriv --reuid 65534 --clear-groups true")

  private static func succeeds(_ script: String) -> Bool {
    (try? Command.run(["sh", "-c", script]).status) == 0
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the test when a requirement is missing.
  ///
  /// With `KEEPSAKE_REQUIRE_FAULTS=1`, such a test fails instead.
  static func needs(_ requirements: FaultRequirement...) -> Self {
    .enabled("needs \(requirements.map(\.rawValue).joined(separator: ", "))") {
      FaultSettings.isRequired || requirements.allSatisfy(\.isMet)
    }
  }
}
