import FoundationEssentials
import KeepsakeCodable
import Testing

@Suite struct `Integers of 128 bits` {
  private struct Properties: Codable, Equatable {
    var signed: Int128
    var unsigned: UInt128
    var optional: Int128?
    var other: UInt128?
    var row: [Int128?]
  }

  /// Calls the methods that the protocols of containers have for these types.
  private struct ByHand: Codable, Equatable {
    var values: [UInt128] = [0, .max]
    var single = Single(value: .min)

    struct Single: Codable, Equatable {
      var value: Int128

      init(value: Int128) { self.value = value }

      init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Int128.self)
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
      }
    }

    init() {}

    init(from decoder: any Decoder) throws {
      var row = try decoder.unkeyedContainer()
      values = [try row.decode(UInt128.self), try row.decode(UInt128.self)]
      single = try row.decode(Single.self)
    }

    func encode(to encoder: any Encoder) throws {
      var row = encoder.unkeyedContainer()
      for value in values { try row.encode(value) }
      try row.encode(single)
    }
  }

  @Test func `Integers of 128 bits may be properties of a synthesized Codable type`() throws {
    let value = Properties(
      signed: .min, unsigned: .max, optional: -1, other: nil, row: [1, nil, .max])
    #expect(try roundTrip(value) == value)
  }

  @Test func `Integers of 128 bits are written and read by hand`() throws {
    #expect(try roundTrip(ByHand()) == ByHand())
  }

  @Test func `Integers of 128 bits are read from narrower ones, and from nothing else`() throws {
    #expect(try reread(["a": 5], as: [String: Int128].self) == ["a": 5])
    let text = #expect(throws: DecodingError.self) {
      try reread(["a": "5"], as: [String: UInt128].self)
    }
    #expect(kindAndPath(of: text) == "typeMismatch a")
    let negative = #expect(throws: DecodingError.self) { try reread([-1], as: [UInt128].self) }
    #expect(kindAndPath(of: negative) == "dataCorrupted [0]")
  }
}
