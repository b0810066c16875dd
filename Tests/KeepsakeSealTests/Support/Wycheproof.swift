import Foundation

/// A file of Wycheproof's test vectors, with the parts that these tests use.
struct Wycheproof<Vector: Decodable>: Decodable {
  struct Group: Decodable {
    let tests: [Vector]
  }

  let numberOfTests: Int
  let testGroups: [Group]

  var vectors: [Vector] { testGroups.flatMap(\.tests) }

  /// Reads `Wycheproof/NAME_test.json`.
  static func named(_ name: String) throws -> Wycheproof {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Wycheproof")
    let file = folder.appendingPathComponent(name + "_test.json")
    return try JSONDecoder().decode(Wycheproof.self, from: try Data(contentsOf: file))
  }
}

/// Bytes that JSON stores as hexadecimal digits.
struct HexBytes: Decodable, Equatable {
  let bytes: [UInt8]

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let digits = Array(try container.decode(String.self))
    bytes = try stride(from: 0, to: digits.count, by: 2).map { index in
      guard index + 1 < digits.count,
        let byte = UInt8(String(digits[index...index + 1]), radix: 16)
      else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "not hexadecimal")
      }
      return byte
    }
  }
}
