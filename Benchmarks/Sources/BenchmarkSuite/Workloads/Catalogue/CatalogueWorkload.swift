/// The `catalogue` workload: eleven dictionaries of names and 250 events with nested lists, whose
/// identifiers have nine digits.
///
/// The order of the draws is part of the workload: arguments are drawn as they are written.
enum CatalogueWorkload {
  typealias Generator = PermutedCongruentialGenerator

  static let eventCount = 250

  static func make() throws -> Catalogue {
    var random = Generator(state: 20_260_102, stream: 2)
    let catalogue = Catalogue(
      eras: names(5, &random), audiences: numberedNames(8, &random), languages: names(13, &random),
      topics: numberedNames(19, &random), promoters: numberedNames(31, &random),
      subtopics: numbers(47, &random), seatCategories: names(64, &random),
      areas: names(120, &random), blocks: numberedNames(210, &random),
      rooms: numbers(340, &random), venues: names(500, &random),
      events: (0..<eventCount).map { _ in event(&random) })
    try facts.verify(catalogue)
    return catalogue
  }

  private static let facts = WorkloadFacts(
    byteCount: 246_876,
    hash: "27191076435317a8ae7d4d631fd1ed8ac89da0143d0cc3345091a1f04d75caee")

  private static func event(_ random: inout Generator) -> Catalogue.Event {
    Catalogue.Event(
      id: identifier(&random), name: name(&random), subtitle: mostly(&random, name),
      caption: mostly(&random, name),
      logo: mostly(&random) { "/images/UE0AAAAACEKo\(identifier(&$0)).png" },
      promoterID: mostly(&random, identifier), venueID: mostly(&random, identifier),
      start: 1_372_701_600_000 + 60_000 * Int64(random.next32(below: 1_000_000)),
      topicIDs: random.list(shorterThan: 6, identifier),
      prices: random.list(shorterThan: 13, price),
      seatCategories: random.list(shorterThan: 13, seatCategory))
  }

  private static func price(_ random: inout Generator) -> Catalogue.Price {
    Catalogue.Price(
      audienceID: identifier(&random), seatCategoryID: identifier(&random),
      discountID: mostly(&random, identifier), amount: Int32(random.number(5...250) * 500))
  }

  private static func seatCategory(_ random: inout Generator) -> Catalogue.SeatCategory {
    Catalogue.SeatCategory(
      seatCategoryID: identifier(&random), promotionID: mostly(&random, identifier),
      areas: random.list(shorterThan: 13) { random in
        Catalogue.Area(areaID: identifier(&random), blockID: mostly(&random, identifier))
      })
  }

  /// An identifier of nine digits.
  private static func identifier(_ random: inout Generator) -> Int32 {
    Int32(random.number(100_000_000...999_999_999))
  }

  /// A value in two of three cases.
  private static func mostly<Wrapped>(
    _ random: inout Generator, _ make: (inout Generator) -> Wrapped
  ) -> Wrapped? {
    random.next32(below: 3) == 0 ? nil : make(&random)
  }

  private static func name(_ random: inout Generator) -> String {
    let count = random.number(1...5)
    return (0..<count).map { _ in random.element(of: words) }.joined(separator: " ")
  }

  private static func names(_ count: Int, _ random: inout Generator) -> [String: String] {
    dictionary(count, &random, key: { "\(identifier(&$0))" }, value: name)
  }

  private static func numberedNames(_ count: Int, _ random: inout Generator) -> [Int32: String] {
    dictionary(count, &random, key: identifier, value: name)
  }

  private static func numbers(_ count: Int, _ random: inout Generator) -> [String: [Int32]] {
    dictionary(
      count, &random, key: { "\(identifier(&$0))" },
      value: { $0.list(shorterThan: 13, identifier) })
  }

  private static func dictionary<Key: Hashable, Value>(
    _ count: Int, _ random: inout Generator, key: (inout Generator) -> Key,
    value: (inout Generator) -> Value
  ) -> [Key: Value] {
    var dictionary: [Key: Value] = [:]
    while dictionary.count < count { dictionary[key(&random)] = value(&random) }
    return dictionary
  }

  private static let words = [
    "Abonnement", "arrière-scène", "balcon", "Berlioz", "Chœur", "concert", "famille", "grand",
    "jazz", "lecture", "loge", "musique", "Orchestre", "parterre", "Pleyel", "récital", "salle",
    "soirée", "Symphonie", "variété",
  ]
}

extension Catalogue {
  /// The bytes of all numbers and strings.
  var payloadSize: Int {
    func size(_ names: [String: String]) -> Int {
      names.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }
    func size(_ names: [Int32: String]) -> Int { names.reduce(0) { $0 + 4 + $1.value.utf8.count } }
    func size(_ numbers: [String: [Int32]]) -> Int {
      numbers.reduce(0) { $0 + $1.key.utf8.count + 4 * $1.value.count }
    }
    return size(eras) + size(languages) + size(seatCategories) + size(areas) + size(venues)
      + size(audiences) + size(topics) + size(promoters) + size(blocks) + size(subtopics)
      + size(rooms) + events.reduce(0) { $0 + $1.payloadSize }
  }
}

extension Catalogue.Event {
  fileprivate var payloadSize: Int {
    let texts = [name, subtitle, caption, logo].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    let seats = seatCategories.reduce(0) { sum, category in
      category.areas.reduce(sum + 4 + (category.promotionID == nil ? 0 : 4)) {
        $0 + 4 + ($1.blockID == nil ? 0 : 4)
      }
    }
    return texts + 4 + (promoterID == nil ? 0 : 4) + (venueID == nil ? 0 : 4) + 8
      + 4 * topicIDs.count + prices.reduce(0) { $0 + 12 + ($1.discountID == nil ? 0 : 4) } + seats
  }
}
