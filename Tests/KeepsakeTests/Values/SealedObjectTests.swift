import Foundation
import Keepsake
import Testing

@Suite struct `Objects in an encrypted file` {
  private final class Chapter: ArchiveObject {
    static let archiveTypeName = "Chapter"
    let title: String
    weak var book: Book?

    init(_ title: String) { self.title = title }

    func encode(to coder: inout ObjectEncoder) {
      coder.encode(title, forKey: "title")
      coder.encodeConditionalReference(book, forKey: "book")
    }

    init(from coder: borrowing ObjectDecoder) throws {
      title = try coder.decode(forKey: "title")
    }

    func decode(from coder: borrowing ObjectDecoder) throws {
      book = try coder.decodeReference(forKey: "book")
    }
  }

  private final class Book: ArchiveObject {
    static let archiveTypeName = "Book"
    var chapters: [Chapter] = []
    var isFaulty = false

    init() {}

    func encode(to coder: inout ObjectEncoder) {
      coder.encodeReferences(chapters, forKey: "chapters")
      if isFaulty { coder.encode(1, forKey: "chapters") }
    }

    init(from coder: borrowing ObjectDecoder) {}

    func decode(from coder: borrowing ObjectDecoder) throws {
      chapters = try coder.decodeReferences(forKey: "chapters")
    }
  }

  private func book() -> Book {
    let book = Book()
    let chapter = Chapter("One")
    book.chapters = [chapter, Chapter("Two"), chapter]
    chapter.book = book
    return book
  }

  private func registry() throws -> TypeRegistry {
    var registry = TypeRegistry()
    try registry.register(Chapter.self)
    return registry
  }

  @Test func `A graph of objects is loaded as one graph`() async throws {
    try await TemporaryDirectory.with { directory in
      let (path, key) = (directory.url.path + "/book", SealedValueKey.key(try .generate()))
      func check(_ book: Book) {
        #expect(book.chapters.map(\.title) == ["One", "Two", "One"])
        #expect(book.chapters[0] === book.chapters[2] && book.chapters[0].book === book)
      }
      try await SealedValue.save(book(), to: path, for: key)
      check(try await SealedValue.load(Book.self, from: path, with: key, registry: registry()))
      func saveAndLoad() throws {
        try SealedValue.save(book(), to: path, for: key)
        check(try SealedValue.load(Book.self, from: path, with: key, registry: registry()))
      }
      try saveAndLoad()
    }
  }

  @Test func `Objects of an unregistered type, or of another type, are unreadable`() async throws {
    try await TemporaryDirectory.with { directory in
      let (path, key) = (directory.url.path + "/book", SealedValueKey.key(try .generate()))
      try SealedValue.save(book(), to: path, for: key)
      let unregistered = keepsakeError {
        _ = try SealedValue.load(Book.self, from: path, with: key)
      }
      #expect(unregistered?.code == .valueUnreadable && unregistered?.path == path)
      #expect((unregistered?.underlyingError as? ArchiveError)?.code == .typeNotRegistered)
      var registry = TypeRegistry()
      try registry.register(Book.self)
      let other = keepsakeError {
        _ = try SealedValue.load(Chapter.self, from: path, with: key, registry: registry)
      }
      #expect(other?.code == .valueUnreadable)
    }
  }

  @Test func `Objects that cannot be stored leave the file as it was`() async throws {
    try await TemporaryDirectory.with { directory in
      let (path, key) = (directory.url.path + "/book", SealedValueKey.key(try .generate()))
      try SealedValue.save(book(), to: path, for: key)
      let before = try directory.contents(path)
      let faulty = book()
      faulty.isFaulty = true
      #expect(
        keepsakeError { try SealedValue.save(faulty, to: path, for: key) }?.code
          == .valueNotStorable)
      #expect(try directory.contents(path) == before)
    }
  }
}
