import Foundation
import KeepsakeArchive
import KeepsakeCodable
import TestSupport
import Testing

/// The memory that `Codable` types take for few bytes, counted in the allocator (Spec/archive.md, 7.6).
@Suite(.enabled(if: Allocation.isCounted)) struct `Memory of Codable in proportion to the bytes` {
  private func factor<Value: Codable>(_ value: Value) throws -> Int {
    let bytes = Array(try ArchiveEncoder().encode(value))
    var decoded: Value?
    let most = try Allocation.most { decoded = try ArchiveDecoder().decode(from: bytes) }
    #expect(decoded != nil)
    return most / bytes.count
  }

  @Test func `Arrays of numbers and truth values take the memory of their elements`() throws {
    #expect(try factor([Bool](repeating: true, count: 100_000)) <= 16)
    #expect(try factor([[UInt8]](repeating: [1], count: 50_000)) <= 64)
    #expect(try factor([Int?](repeating: nil, count: 50_000) + [1]) <= 64)
  }

  @Test func `Each dictionary of one truth value takes the memory of a table`() throws {
    #expect(try factor([[String: Bool]](repeating: ["a": true], count: 10_000)) <= 384)
  }
}

extension ArchiveDecoder {
  fileprivate func decode<Value: Decodable>(from bytes: [UInt8]) throws -> Value {
    try decode(Value.self, from: bytes)
  }
}
