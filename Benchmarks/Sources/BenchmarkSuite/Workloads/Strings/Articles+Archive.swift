import KeepsakeArchive

extension Articles.Article: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(title, forKey: "title")
    coder.encode(author, forKey: "author")
    coder.encode(body, forKey: "body")
    coder.encode(tags, forKey: "tags")
    coder.encode(attributes, forKey: "attributes")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let title = try coder.decode(String.self, forKey: "title")
    let author = try coder.decode(String.self, forKey: "author")
    let body = try coder.decode(String.self, forKey: "body")
    let tags = try coder.decode([String].self, forKey: "tags")
    let attributes = try coder.decode([String: String].self, forKey: "attributes")
    self.init(title: title, author: author, body: body, tags: tags, attributes: attributes)
  }
}

extension Articles {
  /// An archive with one object for each article.
  func archive() throws -> [UInt8] {
    try Records.archive(articles, typeName: "Article")
  }

  init(unarchiving bytes: [UInt8]) throws {
    self.init(articles: try Records.unarchive(bytes))
  }
}

extension Articles: MessageConvertible {
  var message: PBArticles {
    var message = PBArticles()
    message.articles = articles.map { article in
      var part = PBArticle()
      part.title = article.title
      part.author = article.author
      part.body = article.body
      part.tags = article.tags
      part.attributes = article.attributes
      return part
    }
    return message
  }

  init(_ message: PBArticles) {
    self.init(
      articles: message.articles.map { part in
        Article(
          title: part.title, author: part.author, body: part.body, tags: part.tags,
          attributes: part.attributes)
      })
  }
}
