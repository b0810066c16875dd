/// The 200 posts of the `feed` workload: sixty fields each, including those of author and media, and often a
/// quoted post.
///
/// The order of the draws is part of the workload: arguments are drawn as they are written.
enum FeedWorkload {
  typealias Generator = PermutedCongruentialGenerator

  static let postCount = 200

  static func make() throws -> Feed {
    var random = Generator(state: 20_260_103, stream: 3)
    let feed = Feed(posts: (0..<postCount).map { _ in post(&random) })
    try facts.verify(feed)
    return feed
  }

  private static let facts = WorkloadFacts(
    byteCount: 212_313,
    hash: "d8bf54b0d93acf92563e91b7146f4fda6f652614dab4d1ef9d65b57493da39c8")

  private static func post(_ random: inout Generator) -> Feed.Post {
    Feed.Post(
      id: identifier(&random), created: moment(&random), edited: moment(&random),
      text: text(20...280, &random), language: random.element(of: languages),
      client: random.element(of: clients), address: address("status", &random),
      title: text(20...60, &random), conversationID: identifier(&random),
      replyToID: identifier(&random), replyToAuthorID: identifier(&random),
      mentionedIDs: random.list(shorterThan: 5, identifier),
      hashtags: random.list(shorterThan: 5) { text(3...16, &$0) },
      links: random.list(shorterThan: 3) { address("link", &$0) }, likeCount: count(&random),
      repostCount: count(&random), replyCount: count(&random), quoteCount: count(&random),
      bookmarkCount: count(&random), impressionCount: Int64(count(&random)) * 1000,
      clickCount: Int64(count(&random)), shareCount: count(&random), reportCount: count(&random),
      rank: Int32(random.number(-1000...1000)), score: random.nextDouble(),
      latitude: Double(random.number(-90_000_000...90_000_000)) / 1e6,
      longitude: Double(random.number(-180_000_000...180_000_000)) / 1e6,
      place: text(5...30, &random),
      topic: text(3...20, &random), isEdited: random.nextBool(),
      isPinned: random.nextBool(), isSensitive: random.nextBool(), isLiked: random.nextBool(),
      isReposted: random.nextBool(), isBookmarked: random.nextBool(),
      limitsReplies: random.nextBool(), isPromoted: random.nextBool(),
      author: random.optional(author), media: random.optional(media),
      quote: random.optional(quote))
  }

  private static func quote(_ random: inout Generator) -> Feed.Quote {
    Feed.Quote(
      id: identifier(&random), created: moment(&random), text: text(20...280, &random),
      language: random.element(of: languages), likeCount: count(&random),
      repostCount: count(&random), author: random.optional(author), media: random.optional(media))
  }

  private static func author(_ random: inout Generator) -> Feed.Author {
    Feed.Author(
      id: identifier(&random), name: text(4...24, &random),
      handle: "user\(random.next32(below: 100_000_000))",
      biography: text(20...160, &random), avatar: address("avatar", &random),
      location: random.optional { text(5...30, &$0) }, joined: moment(&random),
      followerCount: count(&random), followingCount: count(&random), postCount: count(&random),
      isVerified: random.nextBool(), isProtected: random.nextBool())
  }

  private static func media(_ random: inout Generator) -> Feed.Media {
    Feed.Media(
      id: identifier(&random), address: address("media", &random),
      preview: address("preview", &random),
      caption: random.optional { text(20...120, &$0) }, width: Int32(random.number(1...4096)),
      height: Int32(random.number(1...4096)),
      duration: random.optional { Double($0.number(0...600_000)) / 1000 },
      byteCount: Int64(random.next32(below: 50_000_000)))
  }

  private static func identifier(_ random: inout Generator) -> Int64 {
    Int64(random.next64(below: 1 << 60))
  }

  /// A time within one year, in milliseconds.
  private static func moment(_ random: inout Generator) -> Int64 {
    1_767_225_600_000 + Int64(random.next64(below: 31_536_000_000))
  }

  /// Small numbers more often than large ones.
  private static func count(_ random: inout Generator) -> Int32 {
    let bits = random.next32(below: 22)
    return Int32(random.next32(below: 1 << bits))
  }

  private static func address(_ kind: String, _ random: inout Generator) -> String {
    "https://social.example/\(kind)/\(random.next32(below: 1_000_000_000))"
  }

  /// A text with a length in `range`; half of the texts are not ASCII.
  private static func text(_ range: ClosedRange<Int>, _ random: inout Generator) -> String {
    let length = random.number(range)
    let words = random.nextBool() ? latin : random.element(of: others)
    var characters: [Character] = []
    while characters.count < length {
      if !characters.isEmpty { characters.append(" ") }
      characters += random.element(of: words)
    }
    return String(characters.prefix(length))
  }

  private static let languages = ["en", "de", "fr", "ja", "el", "ru"]
  private static let clients = ["Web", "Phone", "Tablet", "Command line"]
  private static let latin = [
    "a", "state", "that", "must", "outlive", "the", "process", "comes", "back", "exactly", "as",
    "it", "was", "and", "nobody", "notices",
  ]
  private static let others = [
    ["größer", "Straße", "führt", "über", "Brücken", "nächste", "Woche", "schönes", "Gefühl"],
    ["память", "сегодня", "город", "вечер", "дорога", "снова", "письмо", "время", "окно"],
    ["東京", "データ", "今日は", "とても", "暑い", "保存", "できました", "昨日", "電車"],
    ["σήμερα", "θάλασσα", "δρόμος", "Ελλάδα", "φίλος", "καλημέρα", "ήλιος", "βιβλίο"],
  ]
}

extension Feed {
  /// The bytes of all numbers and strings.
  var payloadSize: Int { posts.reduce(0) { $0 + $1.payloadSize } }
}

extension Feed.Post {
  fileprivate var payloadSize: Int {
    let texts = [text, language, client, address, title, place, topic]
    // Eleven numbers of 64 bits, eight numbers of 32 bits, eight Booleans.
    return size(of: texts + hashtags + links) + 8 * mentionedIDs.count + 11 * 8 + 8 * 4 + 8
      + (author?.payloadSize ?? 0) + (media?.payloadSize ?? 0) + (quote?.payloadSize ?? 0)
  }
}

extension Feed.Quote {
  fileprivate var payloadSize: Int {
    size(of: [text, language]) + 24 + (author?.payloadSize ?? 0) + (media?.payloadSize ?? 0)
  }
}

extension Feed.Author {
  fileprivate var payloadSize: Int {
    size(of: [name, handle, biography, avatar, location]) + 30
  }
}

extension Feed.Media {
  fileprivate var payloadSize: Int {
    size(of: [address, preview, caption]) + 24 + (duration == nil ? 0 : 8)
  }
}

private func size(of texts: [String?]) -> Int {
  texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
}
