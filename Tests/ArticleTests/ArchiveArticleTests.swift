import Foundation
import Keepsake
import TestSupport
import Testing

@Suite struct `The article on graphs and lazy reading` {
  @Test func `The example restores a family`() throws {
    let bytes = try archiveFamily()
    let ada = try readFamily(bytes)
    let max = try #require(ada.partner)
    #expect(max.name == "Max" && max.partner === ada)
    #expect(ada.children.map(\.name) == ["Zoe"] && ada.children[0] === max.children[0])
    #expect(try nameOfPartner(in: bytes) == "Max")
    (max.partner, ada.partner) = (nil, nil)
  }

  @Test
  func `The example keeps a family in an encrypted file, and reads one name from it`() throws {
    try withTemporaryDirectory { folder in
      let (path, key) = (folder + "/family", try SealKey.generate())
      let ada = try readFamily(archiveFamily())
      try saveFamily(ada, to: path, key: key)
      let again = try loadFamily(from: path, key: key)
      #expect(again.partner?.partner === again && again.partner?.name == "Max")
      #expect(try nameOfPartner(inFile: path, key: key) == "Max")
      for person in [ada, again] { person.partner?.partner = nil }
    }
  }

  @Test func `The example stores a long line of stations`() throws {
    let first = Station(name: "0")
    var last = first
    for number in 1..<200_000 {
      let station = Station(name: "\(number)")
      (last.next, last) = (station, station)
    }
    var registry = TypeRegistry()
    try registry.register(Station.self)
    let bytes = try Archive.encode(first)
    let read = try Archive(bytes).decodeRoot(Station.self, registry: registry)
    #expect(read.next?.next?.name == "2")
  }

  @Test func `The examples read one array of a sealed archive, and all of its records`() throws {
    try withTemporaryDirectory { folder in
      let key = try SealKey.generate()
      let readings = (1...100).map { number in
        Reading(sensor: "s\(number)", samples: (0..<1_000).map { Double($0 * number) })
      }
      try writeReadings(readings, to: folder + "/readings", key: key)
      #expect(try average(ofReading: 3, in: folder + "/readings", key: key) == 1_498.5)
      #expect(
        try sensorNames(in: folder + "/readings", key: key) == Set((1...100).map { "s\($0)" }))
    }
  }
}

@Suite struct `The article on Codable` {
  @Test func `The example encodes a journey as JSON's coders would`() throws {
    let journey = Journey(legs: [.init(city: "Oslo", kilometers: 12.5)])
    #expect(try decodeJourney(encodeJourney(journey)) == journey)
    #expect(try encodeJourney(journey) == encodeJourney(journey))
  }

  @Test func `The example gives the elements of an old archive their missing values`() throws {
    let old = try ArchiveEncoder().encode([["title": "One"], ["title": "Two"]])
    #expect(try decodeTracks(old) == [Track(title: "One"), Track(title: "Two")])
  }

  @Test func `The example writes and reads records`() throws {
    let trips = [
      Trip(id: UUID(), cities: ["Rome", "Pisa"], kilometers: [350]),
      Trip(id: UUID(), cities: ["Pisa", "Lucca"], kilometers: [22]),
    ]
    let bytes = try archiveTrips(trips)
    #expect(try readTrips(bytes) == trips)
    #expect(try citiesSeen(in: bytes) == ["Rome", "Pisa", "Lucca"])
  }
}

@Suite struct `The article on performance` {
  @Test func `The example finds the largest value`() throws {
    let samples = (0..<1_000).map { Sample(time: Double($0), value: Float($0 % 77)) }
    let rows = try archiveSamples(samples)
    #expect(try largestValue(in: Archive(rows)) == 76)
    let columns = try archiveColumns(samples)
    #expect(try Archive(rows).decodeObjects(Sample.self) == samples)
    #expect(try columnSums(in: columns) == [499_500, Double(samples.map(\.value).reduce(0, +))])
  }
}

/// The sums of the arrays of the article on performance.
private func columnSums(in bytes: [UInt8]) throws -> [Double] {
  let archive = try Archive(bytes)
  let columns = try archive.object(archive.rootID)
  return [
    try columns.decode([Double].self, forKey: "times").reduce(0, +),
    Double(try columns.decode([Float].self, forKey: "values").reduce(0, +)),
  ]
}

@Suite struct `The article on sizes and limits` {
  @Test func `The article states the limits of the code`() throws {
    let text = try Page("Sources/Keepsake/Keepsake.docc/SizesAndLimits.md").text
    let (limits, policy) = (ArchiveLimits(), SealPolicy())
    let (budget, sessions) = (RestorationBudget(), SessionPolicy())
    let rows = [
      "whole archive | \(limits.byteCount >> 30) GiB |",
      "nested in it | \(limits.recordByteCount >> 30) GiB |",
      "values inside values | \(limits.nestingDepth) |",
      "name of a type | \(limits.nameByteCount.formatted(Self.english)) bytes |",
      "different keys | \(limits.keyCount.formatted(Self.english)) |",
      "different types | \(limits.typeCount.formatted(Self.english)) |",
      "different lists of keys | \(limits.shapeCount.formatted(Self.english)) |",
      "keys of one object | \(limits.slotCount.formatted(Self.english)) |",
      "content of a file | \(policy.maximumPayloadLength >> 30) GiB by default",
      "`read()` | \(policy.maximumReadLength >> 30) GiB by default",
      "keys of a file | \(policy.maximumSlotCount), ",
      "public metadata | \(policy.maximumPublicMetadataLength.formatted(Self.english)) bytes |",
      "| \(policy.maximumPassphrasePasses) passes over \(policy.maximumPassphraseMemory >> 20) MiB",
      "objectByteCount`) | \(budget.objectByteCount >> 20) MiB |",
      "totalByteCount`) | \(budget.totalByteCount >> 20) MiB |",
      "maximumCount``) | \(sessions.maximumCount) |",
      "maximumByteCount``) | \(sessions.maximumByteCount >> 20) MiB |",
      "1 to \(SealPassphrase.byteCountRange.upperBound.formatted(Self.english)) bytes",
    ]
    for row in rows { #expect(text.contains(row), "\(row)") }
    let overhead = SealedFile.sealedLength(ofPlaintext: 100, recipientCount: 2) - 100
    #expect(
      text.contains("128 bytes, 192 for each key, 108 for") && overhead == 128 + 2 * 192 + 108 + 16)
  }

  private static let english = IntegerFormatStyle<Int>(locale: Locale(identifier: "en_US"))

  @Test func `The examples limit the bytes and levels that are read`() async throws {
    let bytes = try archiveFamily()
    #expect(try openStrictly(bytes).objectCount == 3)
    #expect(complaint(about: bytes)?.hasPrefix("It is too large: ") == true)
    try withTemporaryDirectory { folder in
      let (path, key) = (folder + "/file", try SealKey.generate())
      try SealedFile.seal(Array(0...99).span, to: path, for: [.key(key)])
      #expect(try part(10..<13, of: path, key: key) == [10, 11, 12])
      let store = threadStore(path: folder + "/thread", key: .key(key))
      let thread = (0..<250).reduce(Reply()) { thread, _ in Reply(replies: [thread]) }
      try store.save(thread)
      var depth = 0
      var reply = try store.load()
      while let next = reply.replies.first { (reply, depth) = (next, depth + 1) }
      #expect(depth == 250)
    }
  }
}
