/// Texts of some hundred characters, each with short ones, a third of them not ASCII.
struct Articles: Codable, Equatable, Sendable {
  struct Article: Codable, Equatable, Sendable {
    var title: String
    var author: String
    var body: String
    var tags: [String]
    var attributes: [String: String]
  }

  var articles: [Article]
}

extension Articles {
  static func make(_ count: Int) -> Articles {
    var random = PermutedCongruentialGenerator.published
    return Articles(
      articles: (0..<count).map { _ in
        let vocabulary = random.element(of: vocabularies)
        let title = text(3, vocabulary, &random)
        let author = "\(random.element(of: vocabulary)) \(random.element(of: vocabulary))"
        let length = 20 + Int(random.next32(below: 120))
        return Article(
          title: title, author: author, body: text(length, vocabulary, &random),
          tags: random.list(shorterThan: 6) { $0.element(of: vocabulary) },
          attributes: [
            "language": vocabulary[0], "slug": "article-\(random.next32(below: 1 << 30))",
            "updated": "2026-\(1 + random.next32(below: 12))-\(1 + random.next32(below: 28))",
          ])
      })
  }

  private static func text(
    _ words: Int, _ vocabulary: [String], _ random: inout PermutedCongruentialGenerator
  ) -> String {
    (0..<words).map { _ in random.element(of: vocabulary) }.joined(separator: " ")
  }

  /// The bytes of all strings.
  var payloadSize: Int {
    articles.reduce(0) { sum, article in
      sum + article.title.utf8.count + article.author.utf8.count + article.body.utf8.count
        + article.tags.reduce(0) { $0 + $1.utf8.count }
        + article.attributes.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
    }
  }

  private static let vocabularies = [
    [
      "state", "of", "the", "interface", "must", "outlive", "its", "process", "and", "come", "back",
      "exactly", "as", "it", "was",
    ],
    [
      "memory", "archive", "key", "value", "object", "scope", "coder", "seal", "chunk", "version",
      "registry", "reference", "identity", "window", "restore",
    ],
    [
      "größer", "Straße", "naïve", "façade", "señor", "Ελλάδα", "память", "東京", "データ", "café",
      "Übermut", "zażółć", "gęślą", "jaźń", "\u{1F5DD}\u{FE0F}",
    ],
  ]
}
