import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

@Suite struct `Foundation's values in an archive` {
  struct Card: Codable, Equatable {
    var date = Date(timeIntervalSinceReferenceDate: 12_345.678)
    var identifier = UUID()
    var address = URL(string: "https://example.org/a?b=%20#c")
    var picture = Data([0, 1, 2, 255])
    var none: Date?
    var dates = [Date.distantPast, Date.distantFuture]
  }

  @Test func `Foundation's values are read back through Codable`() throws {
    let card = Card()
    #expect(try roundTrip(card) == card)
    #expect(try roundTrip(card.date) == card.date)
    #expect(try roundTrip([card.identifier: card.picture]) == [card.identifier: card.picture])
    #expect(try roundTrip(Data()) == Data())
  }

  @Test func `Bytes are stored as one run and not as an array of numbers`() throws {
    let small = try ArchiveEncoder().encode(Data(count: 1_000)).count
    let large = try ArchiveEncoder().encode(Data(count: 11_000)).count
    #expect(large - small == 10_000)
  }

  @Test func `A date keeps every bit`() throws {
    for seconds in [0.1 + 0.2, -0.0, .infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude] {
      let date = try roundTrip(Date(timeIntervalSinceReferenceDate: seconds))
      #expect(date.timeIntervalSinceReferenceDate.bitPattern == seconds.bitPattern)
    }
  }

  @Test func `A relative URL is stored as its absolute string`() throws {
    let base = try #require(URL(string: "https://example.org/a/"))
    let relative = try #require(URL(string: "b", relativeTo: base))
    #expect(try roundTrip(relative).absoluteString == "https://example.org/a/b")
  }

  @Test func `Foundation's values are not read as texts and numbers, nor the reverse`() throws {
    let readings: [() throws -> Void] = [
      { _ = try reread(Date(), as: Double.self) }, { _ = try reread(1.0, as: Date.self) },
      { _ = try reread("https://example.org", as: URL.self) },
      { _ = try reread(UUID(), as: String.self) }, { _ = try reread(Data([1]), as: [UInt8].self) },
    ]
    for reading in readings {
      let error = #expect(throws: DecodingError.self) { try reading() }
      #expect(kindAndPath(of: error) == "typeMismatch ")
    }
  }

  /// The archive of one object with one value under the key "value".
  private func archive(of value: some ArchiveValue) throws -> Archive {
    var writer = ArchiveWriter()
    try writer.writeObject(ArchiveObjectID(1), typeName: "Holder") { coder in
      coder.encode(value, forKey: "value")
    }
    return try Archive(writer.finish(root: ArchiveObjectID(1)))
  }

  private func keyedRoundTrip<Value: ArchiveValue>(_ value: Value) throws -> Value {
    let archive = try archive(of: value)
    return try archive.object(archive.rootID).decode(forKey: "value")
  }

  @Test func `Foundation's values are read back through the keyed coders`() throws {
    let card = Card()
    #expect(try keyedRoundTrip(card.date) == card.date)
    #expect(try keyedRoundTrip(card.identifier) == card.identifier)
    #expect(try keyedRoundTrip(card.address) == card.address)
    #expect(try keyedRoundTrip(card.picture) == card.picture)
    #expect(try keyedRoundTrip([card.date, nil]) == [card.date, nil])
    #expect(try keyedRoundTrip([card.identifier, UUID()]).first == card.identifier)
    #expect(try keyedRoundTrip(["a": card.picture]) == ["a": card.picture])
  }

  // Holds.
  @Test func `Each of Foundation's values has its own kind in the archive`() throws {
    let seconds = 12_345.678
    let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
    let url = try #require(URL(string: "https://example.org/a"))
    #expect(
      try stored(Date(timeIntervalSinceReferenceDate: seconds))
        == .date(ArchiveDate(secondsSinceReferenceDate: seconds)))
    #expect(try stored(Data([1, 2])) == .bytes([1, 2]))
    #expect(try stored(url) == .url(ArchiveURL("https://example.org/a")))
    #expect(try stored(uuid).description == uuid.uuidString)
  }

  /// The stored form of a value, which must be the same through both coders.
  private func stored(_ value: some ArchiveValue & Codable) throws -> DynamicValue {
    let keyed = try archive(of: value)
    let coded = try Archive(Array(ArchiveEncoder().encode(value)))
    let one = try keyed.object(keyed.rootID).decode(DynamicValue.self, forKey: "value")
    let other = try coded.object(coded.rootID).decode(DynamicValue.self, forKey: "value")
    #expect(one == other)
    return one
  }

  @Test func `A stored text that is not a URL is an error at its key`() throws {
    let archive = try archive(of: ArchiveURL(""))
    let error = #expect(throws: ArchiveError.self) {
      try archive.object(archive.rootID).decode(URL.self, forKey: "value")
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.keyPath == ["value"])
  }

  @Test func `Every reader accepts an archive as Data and as an array of bytes`() throws {
    let data = try ArchiveEncoder().encode(["a": 1])
    let bytes = [UInt8](data)
    // The indexes of this slice do not begin with zero.
    let slice = (Data([0, 0, 0]) + data).dropFirst(3)
    for data in [data, slice] {
      #expect(try Archive(data).byteCount == bytes.count)
      #expect(try ArchiveDecoder().decode([String: Int].self, from: data) == ["a": 1])
    }
    #expect(try ArchiveDecoder().decode([String: Int].self, from: bytes) == ["a": 1])
    let error = #expect(throws: ArchiveError.self) { try Archive(data.dropLast()) }
    #expect(error?.code == .truncated)
    var limits = ArchiveLimits()
    limits.keyCount = 0
    let limited = #expect(throws: ArchiveError.self) { try Archive(data, limits: limits) }
    #expect(limited?.code == .limitExceeded)
  }
}
