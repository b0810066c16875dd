import KeepsakeMigration
import TestSupport
import Testing

@Suite struct `A bundle version` {
  @Test(arguments: [
    ("11.0", "11"), ("11.0.0", "11.0"), ("0", "0.0"), ("007.1", "7.01"),
    ("4294967295", "4294967295.0"),
  ])
  func `Versions with the same numbers are equal`(first: String, second: String) throws {
    let versions = (try BundleVersion(first), try BundleVersion(second))
    #expect(versions.0 == versions.1)
    #expect(versions.0.hashValue == versions.1.hashValue)
    #expect(!(versions.0 < versions.1) && !(versions.1 < versions.0))
  }

  @Test(arguments: [
    ("2.9", "2.10"), ("1", "1.0.1"), ("0", "0.0.0.1"), ("9", "10"), ("1.2.3", "1.3"),
    ("10.99", "11"),
  ])
  func `Versions are compared number by number, not letter by letter`(first: String, second: String)
    throws
  {
    #expect(try BundleVersion(first) < BundleVersion(second))
    #expect(try !(BundleVersion(second) < BundleVersion(first)))
  }

  @Test(arguments: [
    "", ".", "1.", ".1", "1..2", "1.a", "v1", "+1", "-1", "1 ", " 1", "1,2", "4294967296",
    "99999999999999999999999", "1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17", "１", "1.0-beta", "\0",
  ])
  func `A malformed version is refused`(text: String) {
    let error = #expect(throws: MigrationError.self) { try BundleVersion(text) }
    #expect(error?.code == .malformedVersion)
    #expect(error?.archiveVersion == text)
    #expect(error?.description.hasSuffix("as in 11.0.2.") == true)
  }

  @Test func `A version keeps its text and drops trailing zeros from its numbers`() throws {
    let version = try BundleVersion("11.0.0")
    #expect(version.description == "11.0.0")
    #expect(version.numbers == [11])
    #expect(try BundleVersion("1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16").numbers.count == 16)
  }

  /// The argument is the seed, so that a failing test can be run again.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `Versions have a total order`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let lists = (0..<3).map { _ in generator.numbers() }
      let versions = try lists.map { numbers in
        try BundleVersion(numbers.map(String.init).joined(separator: "."))
      }
      let (a, b, c) = (versions[0], versions[1], versions[2])
      #expect([a < b, a == b, b < a].count { $0 } == 1, "\(a) and \(b)")
      #expect(a == a && !(a < a))
      #expect((a < b) == (b > a) && (a <= b) == !(b < a), "\(a) and \(b)")
      if a < b, b < c { #expect(a < c, "\(a), \(b), \(c)") }
      if a == b {
        #expect(a.hashValue == b.hashValue, "\(a) and \(b)")
        #expect((a < c) == (b < c) && (c < a) == (c < b), "\(a), \(b), \(c)")
      }
      // The order is that of the lists, continued with zeros.
      let width = max(lists[0].count, lists[1].count)
      let padded = lists.prefix(2).map { $0 + Array(repeating: 0, count: width - $0.count) }
      #expect((a < b) == padded[0].lexicographicallyPrecedes(padded[1]), "\(a) and \(b)")
      #expect((a == b) == (padded[0] == padded[1]), "\(a) and \(b)")
      // The text of a version is read as the same version.
      #expect(try BundleVersion(a.description).numbers == a.numbers)
    }
  }
}

extension SeededGenerator {
  /// Few and small numbers, so that versions are often equal, and sometimes the largest number.
  fileprivate mutating func numbers() -> [UInt32] {
    (0..<Int.random(in: 1...4, using: &self)).map { _ in
      let number = UInt32.random(in: 0...3, using: &self)
      return number == 3 && Bool.random(using: &self) ? .max : number
    }
  }
}
