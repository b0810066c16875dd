import Foundation
import KeepsakeArchive
import KeepsakeDocuments
import Testing

/// The order of Swift's own dictionaries and sets differs from one process to the next; the bytes
/// of an archive must not.
@Suite struct `The same input in many processes` {
  /// The hash of the archive in every process, build mode and run.
  ///
  /// It changes when the bytes of the format do, and only then.
  static let expected: UInt64 = 15_552_187_057_131_555_804

  @Test func `The same input gives the same bytes in every process`() async throws {
    var orders: Set<[UInt8]> = []
    for _ in 0..<20 {
      let result = await #expect(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) {
        let archive = try DeterminismSample.archive()
        print("order \(Set(0..<50).map { $0 })")
        guard DeterminismSample.hash(archive) == `The same input in many processes`.expected else {
          Issue.record("the hash is \(DeterminismSample.hash(archive))")
          return
        }
      }
      let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
      let line = output.split(separator: "\n").first { $0.hasPrefix("order ") }
      orders.insert(Array(try #require(line).utf8))
    }
    // The hash order did differ between the processes.
    #expect(orders.count > 15)
  }

  // Holds.
  @Test func `The same input gives the same bytes in many threads`() async throws {
    let hashes = try await withThrowingTaskGroup(of: UInt64.self) { group in
      for _ in 0..<8 { group.addTask { DeterminismSample.hash(try DeterminismSample.archive()) } }
      return try await group.reduce(into: Set<UInt64>()) { $0.insert($1) }
    }
    #expect(hashes == [`The same input in many processes`.expected])
    // The bytes agree with the specification.
    let archive = try DeterminismSample.archive()
    #expect(throws: Never.self) { try SpecificationReader.read(archive) }
  }
}

/// Values in which Swift's order could show.
private enum DeterminismSample {
  static func archive() throws -> [UInt8] {
    let reserved = ReservedValues(
      bundleVersion: "11.0", userInterfaceIdiom: 1,
      timestamp: ArchiveDate(secondsSinceReferenceDate: 1), systemVersion: "12")
    var writer = ArchiveWriter(reserved: reserved)
    var random = RandomValues(seed: 7)
    random.objectCount = 12
    for number in 1...12 as ClosedRange<UInt32> {
      let fields = random.record(depth: 2, typeName: "")
      try writer.writeObject(.init(number), typeName: "T\(number % 5)") { coder in
        coder.encode(Set((0..<50).map { "member \($0)" }), forKey: "set of strings")
        coder.encode(Set((0..<50).map { Int32($0) * 977 }), forKey: "set of integers")
        coder.encode(
          Dictionary(uniqueKeysWithValues: (0..<50).map { ("key \($0)", ["n": $0, "m": -$0]) }),
          forKey: "dictionary")
        coder.withScope("fields") { $0.encodeFields(of: fields) }
      }
    }
    return try writer.finish(root: first)
  }

  /// FNV-1a.
  static func hash(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
