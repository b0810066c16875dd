import Foundation

/// Performances and their prices, encoded by `Codable` alone: dictionaries of records and of names under numbers as
/// texts, lists of numbers, and many values that are nil.
struct Venues: Codable, Equatable {
  var areaNames: [String: String]
  var events: [String: Event]
  var performances: [Performance]

  struct Event: Codable, Equatable {
    var id: Int
    var name: String
    var description: String?
    var logo: String?
    var subjectCode: String?
    var topicIDs: [Int]
  }

  struct Performance: Codable, Equatable {
    var id: Int
    var eventID: Int
    var start: Int64
    var name: String?
    var logo: String?
    var prices: [Price]
    var seatCategories: [SeatCategory]
  }

  struct Price: Codable, Equatable {
    var amount: Int
    var audienceCategoryID: Int
    var seatCategoryID: Int
  }

  struct SeatCategory: Codable, Equatable {
    var seatCategoryID: Int
    var areas: [Area]
  }

  struct Area: Codable, Equatable {
    var areaID: Int
    var blockIDs: [Int]
  }
}

extension Venues {
  typealias Generator = PermutedCongruentialGenerator

  /// The first performances of the workload; the order of the draws is part of it.
  static func make(_ count: Int) -> Venues {
    var random = Generator(state: 20_261_127, stream: 9)
    let areas = (0..<20).map { ("\(205_705_993 + $0)", random.words(2...5)) }
    let events = (0..<max(count * 3 / 4, 1)).map { ("\(138_586_341 + $0)", event($0, &random)) }
    return Venues(
      areaNames: Dictionary(uniqueKeysWithValues: areas),
      events: Dictionary(uniqueKeysWithValues: events),
      performances: (0..<count).map { performance($0, &random) })
  }

  private static func event(_ number: Int, _ random: inout Generator) -> Event {
    Event(
      id: 138_586_341 + number, name: random.words(2...6), description: nil,
      logo: random.optional { "/images/\($0.number(1...99_999)).jpg" }, subjectCode: nil,
      topicIDs: random.list(shorterThan: 6) { 107_888_604 + $0.number(0...800_000) })
  }

  private static func performance(_ number: Int, _ random: inout Generator) -> Performance {
    let categories = 338_937_235...338_937_300
    return Performance(
      id: 339_887_544 + number, eventID: 138_586_341 + random.number(0...200),
      start: 1_372_701_600_000 + Int64(random.number(0...90_000)) * 1000, name: nil, logo: nil,
      prices: random.list(shorterThan: 8) {
        Price(
          amount: $0.number(10...200) * 500, audienceCategoryID: 337_100_890,
          seatCategoryID: $0.number(categories))
      },
      seatCategories: random.list(shorterThan: 8) {
        SeatCategory(
          seatCategoryID: $0.number(categories),
          areas: $0.list(shorterThan: 9) {
            Area(
              areaID: 205_705_993 + $0.number(0...19),
              blockIDs: $0.list(shorterThan: 2) { $0.number(1...9) })
          })
      })
  }

  /// Eight bytes for each number, and the bytes of the names.
  var payloadSize: Int {
    var sum = 24 * performances.count
    for event in events.values { sum += event.name.utf8.count + 8 * event.topicIDs.count + 8 }
    for performance in performances {
      sum += 24 * performance.prices.count
      for category in performance.seatCategories { sum += 8 + 8 * category.areas.count }
    }
    return sum
  }
}
