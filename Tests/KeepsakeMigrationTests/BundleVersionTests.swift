import KeepsakeMigration
import Testing

@Suite struct `A bundle version` {
  @Test(arguments: [
    ("11.0", "11"), ("11.0.0", "11.0"), ("0", "0.0"), ("007.1", "7.01"),
    ("4294967295", "4294967295.0"),
  ])
  func `equals another with the same numbers`(first: String, second: String) throws {
    let versions = (try BundleVersion(first), try BundleVersion(second))
    #expect(versions.0 == versions.1)
    #expect(versions.0.hashValue == versions.1.hashValue)
    #expect(!(versions.0 < versions.1) && !(versions.1 < versions.0))
  }

  @Test(arguments: [
    ("2.9", "2.10"), ("1", "1.0.1"), ("0", "0.0.0.1"), ("9", "10"), ("1.2.3", "1.3"),
    ("10.99", "11"),
  ])
  func `is earlier number by number, not letter by letter`(first: String, second: String) throws {
    #expect(try BundleVersion(first) < BundleVersion(second))
    #expect(try !(BundleVersion(second) < BundleVersion(first)))
  }

  @Test(arguments: [
    "", ".", "1.", ".1", "1..2", "1.a", "v1", "+1", "-1", "1 ", " 1", "1,2", "4294967296",
    "99999999999999999999999", "1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17", "１", "1.0-beta", "\0",
  ])
  func `is refused when its text is malformed`(text: String) {
    let error = #expect(throws: MigrationError.self) { try BundleVersion(text) }
    #expect(error?.code == .malformedVersion)
    #expect(error?.archiveVersion == text)
    #expect(error?.description.hasSuffix("as in 11.0.2.") == true)
  }

  @Test func `keeps its text and drops trailing zeros from its numbers`() throws {
    let version = try BundleVersion("11.0.0")
    #expect(version.description == "11.0.0")
    #expect(version.numbers == [11])
    #expect(try BundleVersion("1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16").numbers.count == 16)
  }

  @Test func `has a total order`() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let versions = try (0..<3).map { _ in
        let numbers = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
          Int.random(in: 0...2, using: &generator)
        }
        return try BundleVersion(numbers.map(String.init).joined(separator: "."))
      }
      let (a, b, c) = (versions[0], versions[1], versions[2])
      #expect([a < b, a == b, b < a].count { $0 } == 1, "\(a) and \(b)")
      if a < b, b < c { #expect(a < c, "\(a), \(b), \(c)") }
      if a == b { #expect(a.hashValue == b.hashValue, "\(a) and \(b)") }
    }
  }
}
