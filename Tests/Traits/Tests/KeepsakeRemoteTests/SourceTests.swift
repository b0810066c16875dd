import Foundation
import Keepsake
import Testing

@testable import KeepsakeRemote

struct Page: ArchiveRecord {
  static var archiveTypeName: String { "Page" }
  var title: String
  var content: [UInt8]

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

/// A sealed archive of many pages, and plaintext of random bytes.
enum Samples {
  static func book(pages: Int, key: SealKey, signedBy signer: SealSigningKey? = nil) async throws
    -> [UInt8]
  {
    try await withFolder { folder in
      let path = folder + "/book"
      let file = try SealedFileWriter(
        to: path, for: [.key(key)], options: SealOptions(signingKey: signer))
      var writer = ArchiveStreamWriter(to: file)
      let content = noise(of: 1, count: 32 << 10)
      for number in 0..<pages {
        try writer.writeObject(Page(title: "page \(number)", content: content))
      }
      try writer.finish()
      try file.finish()
      return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }
  }

  static func noise(of seed: Int, count: Int) -> [UInt8] {
    var state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    return (0..<count).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state)
    }
  }

  static func sealed(_ plaintext: [UInt8], for key: SealKey) throws -> [UInt8] {
    try SealedFile.seal(plaintext.span, for: [.key(key)])
  }
}

@Suite(.enabled(if: Servers.radosgw != nil)) struct `A source on a radosgw` {
  /// The number of pages of a large archive, from KEEPSAKE_PAGES.
  ///
  /// 2,000 pages have 64 MiB, and 32,768 have 1 GiB.
  private static let pageCount =
    Servers.environment["KEEPSAKE_PAGES"].flatMap { Int($0) } ?? 2_000
  /// A page in the middle.
  private static let middle = UInt32(pageCount / 2)

  /// An object for a large archive.
  private func book() throws -> RemoteObject {
    try Servers.store(settings: Servers.settings(timeout: .seconds(600)))
      .object(Servers.freshKey("book.sealed"))
  }

  /// Prints the traffic of an archive whose size KEEPSAKE_PAGES states.
  private func report(_ traffic: RemoteSource.Traffic, of source: RemoteSource, _ name: String) {
    guard Servers.environment["KEEPSAKE_PAGES"] != nil else { return }
    print(
      "\(name), \(source.byteCount) bytes: \(traffic.requestCount) requests, \(traffic.byteCount) bytes"
    )
  }

  private func title(_ number: UInt32, in source: RemoteSource, key: SealKey) throws -> String {
    let archive = try Archive(source: SealedFile.open(source: source, with: [.key(key)]))
    return try archive.object(ArchiveObjectID(number)).decode(String.self, forKey: "title")
  }

  @Test func `The first value of a large archive takes five requests, and the next one takes one`()
    async throws
  {
    let key = try SealKey.generate()
    let object = try book()
    try await object.put(Samples.book(pages: Self.pageCount, key: key))
    let source = try await RemoteSource.open(object)
    #expect(source.byteCount > 60 << 20)
    let first = try await source.perform { source in
      let archive = try Archive(source: SealedFile.open(source: source, with: [.key(key)]))
      let title = try archive.object(ArchiveObjectID(Self.middle)).decode(
        String.self, forKey: "title")
      let cold = source.traffic
      let next = try archive.object(ArchiveObjectID(Self.middle + 500)).decode(
        String.self, forKey: "title")
      return (title, next, cold, source.traffic)
    }
    #expect(first.0 == "page \(Self.middle - 1)" && first.1 == "page \(Self.middle + 499)")
    report(first.2, of: source, "a value")
    report(first.3, of: source, "two values")
    #expect(first.2.requestCount <= 5, "\(first.2)")
    #expect(first.2.byteCount <= 512 << 10, "\(first.2)")
    #expect(first.3.requestCount <= first.2.requestCount + 1, "\(first.3)")
    try await object.delete()
  }

  @Test func `A value of a large signed archive takes seven requests`() async throws {
    let key = try SealKey.generate()
    let signer = try SealSigningKey.generate()
    let object = try book()
    try await object.put(Samples.book(pages: Self.pageCount, key: key, signedBy: signer))
    let source = try await RemoteSource.open(object)
    let traffic = try await source.perform { source in
      let file = try SealedFile.open(
        source: source, with: [.key(key)],
        policy: SealPolicy(signature: .trusted([signer.signer])))
      let archive = try Archive(source: file)
      let title = try archive.object(ArchiveObjectID(Self.middle)).decode(
        String.self, forKey: "title")
      #expect(title == "page \(Self.middle - 1)")
      return source.traffic
    }
    report(traffic, of: source, "a signed value")
    #expect(traffic.requestCount <= 7 && traffic.byteCount <= 512 << 10, "\(traffic)")
    try await object.delete()
  }

  @Test func `A whole file is read ahead in few requests, each byte once`() async throws {
    let key = try SealKey.generate()
    let plaintext = Samples.noise(of: 1, count: 8 << 20)
    let object = try Servers.store().object(Servers.freshKey())
    try await object.put(Samples.sealed(plaintext, for: key))
    let source = try await RemoteSource.open(object)
    let (bytes, traffic) = try await source.perform { source in
      (try SealedFile.open(source: source, with: [.key(key)]).read(), source.traffic)
    }
    #expect(bytes == plaintext)
    #expect(traffic.byteCount <= source.byteCount + (64 << 10), "\(traffic)")
    #expect(traffic.requestCount <= 60, "\(traffic)")
  }

  @Test(arguments: [0, 1, 100, 65_535, 65_536, 65_537, 200_000])
  func `Files of every size are read`(count: Int) async throws {
    let key = try SealKey.generate()
    let plaintext = Samples.noise(of: count, count: count)
    let object = try Servers.store().object(Servers.freshKey())
    try await object.put(Samples.sealed(plaintext, for: key))
    let source = try await RemoteSource.open(object)
    let bytes = try await source.perform { source in
      try SealedFile.open(source: source, with: [.key(key)]).read()
    }
    #expect(bytes == plaintext)
  }

  @Test func `An empty object and an absent one are told apart`() async throws {
    let object = try Servers.store().object(Servers.freshKey())
    #expect(await remoteError { _ = try await RemoteSource.open(object) }?.code == .absent)
    try await object.put([])
    let source = try await RemoteSource.open(object)
    #expect(source.byteCount == 0)
    let code: SealError.Code? = try await source.perform { source in
      do throws(SealError) {
        _ = try SealedFile.open(source: source, with: [.key(SealKey.generate())])
        return nil
      } catch {
        return error.code
      }
    }
    #expect(code == .emptyFile)
  }

  @Test func `An object that is replaced while it is read is an error`() async throws {
    let key = try SealKey.generate()
    let object = try Servers.store().object(Servers.freshKey())
    try await object.put(Samples.sealed(Samples.noise(of: 1, count: 1 << 20), for: key))
    let source = try await RemoteSource.open(object)
    try await object.put(Samples.sealed(Samples.noise(of: 2, count: 1 << 20), for: key))
    let error = await remoteError {
      _ = try await source.perform { source in
        try SealedFile.open(source: source, with: [.key(key)]).read()
      }
    }
    #expect(error?.code == .changedMeanwhile)
  }

  @Test func `Many threads read the same pages by one request each`() async throws {
    let key = try SealKey.generate()
    let object = try Servers.store().object(Servers.freshKey())
    let plaintext = Samples.noise(of: 3, count: 1 << 20)
    try await object.put(Samples.sealed(plaintext, for: key))
    let source = try await RemoteSource.open(object)
    let file = try await source.perform { try SealedFile.open(source: $0, with: [.key(key)]) }
    let before = source.traffic.requestCount
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask {
          let bytes = try await source.perform { _ in try file.read(500_000..<500_100) }
          #expect(bytes == Array(plaintext[500_000..<500_100]))
        }
      }
      try await group.waitForAll()
    }
    #expect(source.traffic.requestCount == before + 1)
  }
}

@Suite(.enabled(if: Servers.web != nil)) struct `A source on a web server` {
  @Test func `A sealed file of nginx is read by ranges`() async throws {
    let key = try SealKey.generate()
    let name = UUID().uuidString
    let plaintext = Samples.noise(of: 5, count: 3 << 20)
    try Data(Samples.sealed(plaintext, for: key))
      .write(to: URL(fileURLWithPath: #require(Servers.webFolder) + "/" + name))
    let object = try RemoteObject(url: #require(Servers.web) + "/\(name)?token=hidden")
    let source = try await RemoteSource.open(object)
    let part = try await source.perform { source in
      try SealedFile.open(source: source, with: [.key(key)]).read(2_000_000..<2_000_010)
    }
    #expect(part == Array(plaintext[2_000_000..<2_000_010]))
    #expect(source.traffic.byteCount < 300_000)
    let whole = try await source.perform { source in
      try SealedFile.open(source: source, with: [.key(key)]).read()
    }
    #expect(whole == plaintext)
    try Data(Samples.sealed(plaintext + [1], for: key))
      .write(to: URL(fileURLWithPath: #require(Servers.webFolder) + "/" + name))
    let again = try await RemoteSource.open(object)
    #expect(again.version != source.version)
    let absent = await remoteError {
      _ = try await RemoteSource.open(RemoteObject(url: #require(Servers.web) + "/no?token=hidden"))
    }
    #expect(absent?.code == .absent && absent?.description.contains("hidden") == false)
  }
}
