#if Remote
  import BenchmarkHarness
  import Foundation
  import Keepsake
  import KeepsakeRemote

  /// The bucket of the benchmarks, on the servers that `Tests/Traits/run --exec` has started; nil without them.
  enum RemoteBucket: String {
    case direct = "KEEPSAKE_S3"
    /// The same behind a network on which an answer takes 40 ms longer.
    case delayed = "KEEPSAKE_S3_DELAYED"

    func store(cacheByteCount: Int = RemoteSettings().cacheByteCount) -> ObjectStore? {
      guard let endpoint = ProcessInfo.processInfo.environment[rawValue] else { return nil }
      let credentials = try? ObjectStoreProfile.current().credentials
      return try? ObjectStore(
        bucket: "keepsake-bench", at: endpoint, credentials: credentials,
        settings: RemoteSettings(timeout: .seconds(600), cacheByteCount: cacheByteCount))
    }
  }

  /// A page of a book: the values that are read are small, and most bytes are not read.
  struct BookPage: ArchiveRecord {
    static var archiveTypeName: String { "Page" }
    /// The bytes of a page without its title.
    static let contentByteCount = 32 << 10
    let title: String
    let content: [UInt8]

    init(title: String, content: [UInt8]) { (self.title, self.content) = (title, content) }

    func encode(to coder: inout ObjectEncoder) {
      coder.encode(title, forKey: "title")
      coder.encode(content, forKey: "content")
    }

    init(from decoder: borrowing ObjectDecoder) throws(ArchiveError) {
      title = try decoder.decode(String.self, forKey: "title")
      content = try decoder.decode([UInt8].self, forKey: "content")
    }
  }

  /// An archive of many pages in the bucket, sealed by Keepsake and by age.
  struct RemoteBook {
    static let sealedKey = "book.sealed"
    static let ageKey = "book.age"
    /// The number of pages that are read in turns.
    static let turnCount = 32

    /// A page in the middle, whose title is read.
    struct Place: Sendable {
      let number: Int
      var title: String { "page \(number)" }

      func title(in archive: Archive) throws -> String {
        try archive.object(ArchiveObjectID(UInt32(number + 1)))
          .decode(String.self, forKey: "title")
      }
    }

    let key: SealKey
    let signer: SealSigningKey
    let pageCount: Int
    let folder: ScratchDirectory
    var ageIdentity: String { folder.file("identity") }
    var place: Place { Place(number: pageCount / 2) }

    /// A page near the middle, another one for each of many turns, each two chunks or more from the last.
    func place(afterTurns turn: Int) -> Place {
      Place(number: (pageCount / 2 + turn % Self.turnCount * 4) % pageCount)
    }

    /// Opens the archive in the sealed file of a source; requires a signature if there is a signer.
    nonisolated static func archive(
      in source: RemoteSource, _ key: SealKey, signedBy signer: SealSigner? = nil
    ) throws -> Archive {
      try Archive(
        source: SealedFile.open(
          source: source, with: [.key(key)],
          policy: SealPolicy(signature: signer.map { .trusted([$0]) } ?? .notRequired)))
    }

    /// The book in the bucket, with its size; the next one replaces it, so that the store needs little memory.
    @MainActor private static var current: (size: Int, book: RemoteBook)?

    /// Uploads a book of a size, unless it is in the bucket already.
    @MainActor
    static func stored(_ size: Int) async throws -> RemoteBook {
      if let current, current.size == size { return current.book }
      current = nil
      guard let bucket = RemoteBucket.direct.store() else {
        throw CheckFailure(description: "There is no object store: KEEPSAKE_S3 is not set.")
      }
      let book = RemoteBook(
        key: try SealKey.generate(), signer: try SealSigningKey.generate(),
        pageCount: max(2, size / BookPage.contentByteCount),
        folder: try ScratchDirectory(inMemory: true))
      let (plain, sealed) = (book.folder.file("plain"), book.folder.file("sealed"))
      try book.write(to: plain)
      _ = try SealedFile.seal(
        contentsOf: plain, to: sealed, for: [.key(book.key)],
        options: SealOptions(signingKey: book.signer))
      try await upload(sealed, to: bucket.object(sealedKey))
      if let age = Age.path, let generator = Age.keyGeneratorPath {
        try WholeProcess.run(generator, ["-o", book.ageIdentity])
        try WholeProcess.run(age, ["--encrypt", "-i", book.ageIdentity, "-o", sealed, plain])
        try await upload(sealed, to: bucket.object(ageKey))
      }
      for path in [plain, sealed] { try FileManager.default.removeItem(atPath: path) }
      current = (size, book)
      return book
    }

    private static func upload(_ path: String, to object: RemoteObject) async throws {
      try await object.delete()
      let content = try Data(contentsOf: URL(filePath: path))
      try await object.put([UInt8](content))
    }

    static func download(_ object: RemoteObject) async throws -> [UInt8] {
      guard let content = try await object.get(upTo: 2 << 30) else {
        throw CheckFailure(description: "\(object) is absent.")
      }
      return content.bytes
    }

    private func write(to path: String) throws {
      var writer = ArchiveStreamWriter(to: try ArchiveFile(writing: path))
      let content = NamedBlob.noise(BookPage.contentByteCount)
      for number in 0..<pageCount {
        try writer.writeObject(BookPage(title: "page \(number)", content: content))
      }
      try writer.finish()
    }

  }
#endif
