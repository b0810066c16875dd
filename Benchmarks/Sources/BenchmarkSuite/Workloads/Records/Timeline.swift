import Foundation

/// Posts as a social network's interface returns them, encoded by `Codable` alone: long texts in several languages,
/// nested optional records, lists of small records, and many optional texts.
struct Timeline: Codable, Equatable {
  var statuses: [Status]

  struct Status: Codable, Equatable {
    var id: Int64
    var createdAt: String
    var text: String
    var source: String
    var inReplyTo: Int64?
    var inReplyToName: String?
    var user: User
    var geo: [Double]?
    var entities: Entities
    var retweetCount: Int
    var favoriteCount: Int
    var isFavorited: Bool
    var isSensitive: Bool?
    var language: String
  }

  struct User: Codable, Equatable {
    var id: Int64
    var name: String
    var screenName: String
    var location: String
    var description: String
    var url: String?
    var followerCount: Int
    var friendCount: Int
    var isProtected: Bool
    var timeZone: String?
    var backgroundColor: String
    var image: URL
  }

  struct Entities: Codable, Equatable {
    var tags: [Tag]
    var links: [Link]
    var mentions: [Mention]
  }

  struct Tag: Codable, Equatable {
    var text: String
    var indices: [Int]
  }

  struct Link: Codable, Equatable {
    var short: String
    var long: String
    var indices: [Int]
  }

  struct Mention: Codable, Equatable {
    var screenName: String
    var id: Int64
    var indices: [Int]
  }
}

extension Timeline {
  typealias Generator = PermutedCongruentialGenerator

  /// The first posts of the workload; the order of the draws is part of it.
  static func make(_ count: Int) -> Timeline {
    var random = Generator(state: 20_261_127, stream: 8)
    return Timeline(statuses: (0..<count).map { _ in status(&random) })
  }

  private static func status(_ random: inout Generator) -> Status {
    Status(
      id: Int64(random.next64(below: 1 << 53)), createdAt: "Sun Aug 31 00:29:15 +0000 2014",
      text: random.words(4...24),
      source: "<a href=\"https://example.org\">\(random.words(1...2))</a>",
      inReplyTo: random.optional { Int64($0.next64(below: 1 << 53)) },
      inReplyToName: random.optional { $0.words(1...1) }, user: user(&random),
      geo: random.optional { [$0.nextDouble() * 180 - 90, $0.nextDouble() * 360 - 180] },
      entities: entities(&random), retweetCount: random.number(0...9999),
      favoriteCount: random.number(0...9999), isFavorited: random.nextBool(),
      isSensitive: random.optional { $0.nextBool() },
      language: random.element(of: ["en", "de", "ja"]))
  }

  private static func user(_ random: inout Generator) -> User {
    User(
      id: Int64(random.next64(below: 1 << 32)), name: random.words(1...3),
      screenName: random.words(1...1), location: random.words(0...2),
      description: random.words(0...20),
      url: random.optional { "https://t.co/\($0.number(1...99_999))" },
      followerCount: random.number(0...99_999), friendCount: random.number(0...9999),
      isProtected: random.nextBool(), timeZone: random.optional { $0.words(1...1) },
      backgroundColor: "C0DEED", image: image(&random))
  }

  private static func image(_ random: inout Generator) -> URL {
    URL(string: "https://example.org/\(random.number(1...99_999)).png") ?? URL(filePath: "/")
  }

  private static func entities(_ random: inout Generator) -> Entities {
    Entities(
      tags: random.list(shorterThan: 3) { Tag(text: $0.words(1...1), indices: indices(&$0)) },
      links: random.list(shorterThan: 3) {
        Link(
          short: "https://t.co/\($0.number(1...99_999))",
          long: "https://example.org/\($0.number(1...9_999_999))", indices: indices(&$0))
      },
      mentions: random.list(shorterThan: 3) {
        Mention(
          screenName: $0.words(1...1), id: Int64($0.next64(below: 1 << 32)), indices: indices(&$0))
      })
  }

  private static func indices(_ random: inout Generator) -> [Int] {
    let start = random.number(0...120)
    return [start, start + random.number(2...20)]
  }

  /// The bytes of the long texts, and 8 for each number.
  var payloadSize: Int {
    var sum = 128 * statuses.count
    for status in statuses {
      let (user, entities) = (status.user, status.entities)
      for text in [status.text, status.source, user.description, user.name] {
        sum += text.utf8.count
      }
      sum += 24 * (entities.tags.count + entities.links.count + entities.mentions.count)
    }
    return sum
  }
}
