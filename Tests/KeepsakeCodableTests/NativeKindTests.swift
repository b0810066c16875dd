import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
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

  @Test func `They come back through Codable`() throws {
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

  @Test func `They do not pass for texts and numbers, nor the other way round`() throws {
    #expect(throws: DecodingError.self) { try reread(Date(), as: Double.self) }
    #expect(throws: DecodingError.self) { try reread(1.0, as: Date.self) }
    #expect(throws: DecodingError.self) { try reread("https://example.org", as: URL.self) }
    #expect(throws: DecodingError.self) { try reread(UUID(), as: String.self) }
    #expect(throws: DecodingError.self) { try reread(Data([1]), as: [UInt8].self) }
  }
}
