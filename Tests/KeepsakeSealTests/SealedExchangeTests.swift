import Foundation
import TestSupport
import Testing

@testable import KeepsakeSeal

/// Runs Spec/python as a program.
private enum OtherImplementation {
  private static let script = SealedVector.specification.deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("python/tests/exchange.py").path

  static let isThere = TestSupport.run("python3", "-c", "import nacl.bindings")

  static func run(_ command: String, _ arguments: String...) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    switch command {
    case "write":
      return TestSupport.run(
        "python3", script, "write", arguments[0], environment["KEEPSAKE_SEEDS"] ?? "200",
        environment["KEEPSAKE_FIRST_SEED"] ?? "0")
    default:
      return TestSupport.run("python3", script, command, arguments[0])
    }
  }
}

/// Exchanges random files both ways; a third of them is damaged.
///
/// Spec/python was written from the specification alone. `.ci/exchange` runs the same test with many more
/// seeds.
@Suite(.enabled(if: OtherImplementation.isThere, "python3 with PyNaCl is not there"))
struct `Random files that two implementations exchange` {
  @Test func `Each implementation reads the other's files, and they agree on damage`() throws {
    try withTemporaryDirectory { directory in
      try #require(OtherImplementation.run("write", directory))
      let vectors = try SealedVector.all(in: URL(fileURLWithPath: directory))
      #expect(vectors.count >= 1)
      for vector in vectors {
        let found = try vector.outcome()
        #expect(found == vector.expected, Comment(rawValue: vector.name))
        if let bytes = try vector.written?.sealedAnew() {
          try write(bytes, to: "\(directory)/\(vector.name).other")
        }
      }
      #expect(OtherImplementation.run("check", directory))
    }
  }
}
