import KeepsakeCodable
import Testing

@Suite struct `Reading Codable numbers as another type` {
  @Test func `An integer is read as any integer type that it fits`() throws {
    #expect(try reread(Int64(127), as: Int8.self) == 127)
    #expect(try reread(UInt8(255), as: Int.self) == 255)
    #expect(try reread(Int8(-1), as: Int64.self) == -1)
    #expect(try reread([Int64(1), 2], as: [UInt16].self) == [1, 2])
  }

  @Test func `An integer that does not fit is corrupted data at its path`() throws {
    #expect(try refusal(of: Box(value: 300), as: Box<UInt8>.self) == "dataCorrupted value")
    #expect(try refusal(of: Box(value: -1), as: Box<UInt64>.self) == "dataCorrupted value")
    #expect(
      try refusal(of: [UInt64.max, 1], as: [Int64].self) == "dataCorrupted [0]")
  }

  @Test func `A wider float is rounded to nearest and a narrower one is exact`() throws {
    #expect(try reread(0.1, as: Float.self) == 0.1)
    #expect(try reread(Float(0.1), as: Double.self) == Double(Float(0.1)))
    #expect(try reread(Double.infinity, as: Float.self) == .infinity)
    #expect(try reread(Double.nan, as: Float.self).isNaN)
  }

  @Test func `A double too large for a float is corrupted data`() throws {
    #expect(try refusal(of: 1e300, as: Float.self) == "dataCorrupted ")
  }

  @Test func `Integers, floats, texts and truth values do not pass for each other`() throws {
    #expect(try refusal(of: 1, as: Double.self) == "typeMismatch ")
    #expect(try refusal(of: 1.0, as: Int.self) == "typeMismatch ")
    #expect(try refusal(of: "1", as: Int.self) == "typeMismatch ")
    #expect(try refusal(of: 1, as: Bool.self) == "typeMismatch ")
    #expect(try refusal(of: true, as: Int.self) == "typeMismatch ")
    #expect(try refusal(of: 1, as: String.self) == "typeMismatch ")
    #expect(try refusal(of: 1, as: [Int].self) == "typeMismatch ")
    #expect(try refusal(of: [1], as: [String: Int].self) == "typeMismatch ")
  }

  @Test func `Nil is no value of a type without nil`() throws {
    #expect(
      try refusal(of: Box<Int?>(value: nil), as: Box<[Int]>.self) == "valueNotFound value")
    #expect(try refusal(of: [Int?.none], as: [Int].self) == "valueNotFound [0]")
    #expect(try refusal(of: [Int?.none], as: [[Int]].self) == "valueNotFound [0]")
  }

  /// The kind and the path of the error that reading a value as another type throws.
  private func refusal<Value: Decodable>(
    of value: some Encodable, as type: Value.Type
  ) throws -> String? {
    let data = try ArchiveEncoder().encode(value)
    let error = #expect(throws: DecodingError.self) {
      try ArchiveDecoder().decode(type, from: data)
    }
    return place(of: error)
  }
}
