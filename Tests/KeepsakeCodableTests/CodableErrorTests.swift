import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import Testing

@Suite struct `Errors of Codable` {
  struct Contact: Codable, Equatable {
    var name: String
    var numbers: [Int]
  }

  struct Book: Codable, Equatable {
    var contacts: [Contact]
  }

  struct NamelessContact: Codable {
    var numbers: [Int]
  }

  struct NamelessBook: Codable {
    var contacts: [NamelessContact]
  }

  @Test func `The error of a missing key names the key and the path to its container`() throws {
    let book = NamelessBook(contacts: [NamelessContact(numbers: [1])])
    let data = try ArchiveEncoder().encode(book)
    let error = #expect(throws: DecodingError.self) {
      try ArchiveDecoder().decode(Book.self, from: data)
    }
    #expect(kindAndPath(of: error) == "keyNotFound(name) contacts.[0]")
  }

  /// Writes a value under a key, and then one that fails as the element of an array.
  private struct Mixed: Encodable {
    private struct Failing: Encodable {
      func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
          0, .init(codingPath: encoder.codingPath, debugDescription: "it fails"))
      }
    }

    private struct List: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(Failing())
      }
    }

    private let book = NamelessBook(contacts: [NamelessContact(numbers: [1])])
    private let list = List()
  }

  @Test func `The path to an element does not keep a key of an earlier value`() {
    let error = #expect(throws: EncodingError.self) { try ArchiveEncoder().encode(Mixed()) }
    #expect(refusal(of: error)?.place == "list.[0]")
  }

  @Test func `The error for bytes that are not an archive has no doubled full stop`() {
    let error = #expect(throws: DecodingError.self) {
      try ArchiveDecoder().decode(Book.self, from: Data("[]".utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let cause = context.underlyingError.map { "\($0)" }
    #expect(cause == context.debugDescription + ".")
    #expect("\(DecodingError.dataCorrupted(context))".contains("..") == false)
  }

  @Test func `Reading past the end of an array is a missing value`() throws {
    struct Greedy: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        #expect(container.count == 1)
        let error = #expect(throws: DecodingError.self) { try container.decode(String.self) }
        let path = decoder.codingPath.isEmpty ? "[0]" : "[0].[0]"
        #expect(kindAndPath(of: error) == "typeMismatch \(path)")
        #expect(container.currentIndex == 0)
        #expect(try container.decode(Int.self) == 1)
        _ = try container.decode(Int.self)
      }
    }
    #expect(try refusal(of: [1], as: Greedy.self) == "valueNotFound [1]")
    // Here the bytes of another number follow.
    #expect(try refusal(of: [[1], [2]], as: [Greedy].self) == "valueNotFound [0].[1]")
  }

  @Test func `Every request past the end of an array is a missing value`() throws {
    struct Greedy: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        #expect(try container.decode(String.self) == "\0\0")
        let requests: [(inout any UnkeyedDecodingContainer) throws -> Void] = [
          { _ = try $0.decodeNil() }, { _ = try $0.decode(Bool.self) },
          { _ = try $0.decode(String.self) }, { _ = try $0.decode(Double.self) },
          { _ = try $0.decode(Float.self) }, { _ = try $0.decode(UInt8.self) },
          { _ = try $0.decode(Int128.self) }, { _ = try $0.decode([Int].self) },
          { _ = try $0.decode(Contact?.self) },
          { _ = try $0.nestedContainer(keyedBy: ModelValue.Key.self) },
          { _ = try $0.nestedUnkeyedContainer() }, { _ = try $0.superDecoder() },
        ]
        for (number, request) in requests.enumerated() {
          let error = #expect(throws: DecodingError.self, "request \(number)") {
            try request(&container)
          }
          #expect(kindAndPath(of: error) == "valueNotFound [1]", "request \(number)")
          #expect(container.currentIndex == 1, "request \(number)")
        }
        #expect(try container.decodeIfPresent(String.self) == nil)
      }
    }
    // These bytes would also be a text if they were taken for the end of a second element.
    _ = try reread(["\0\0"], as: Greedy.self)
  }

  @Test func `A value that requests two kinds of container is refused`() {
    struct Torn: Encodable {
      enum CodingKeys: CodingKey { case key }
      func encode(to encoder: any Encoder) throws {
        _ = encoder.unkeyedContainer()
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(1, forKey: .key)
      }
    }
    let error = #expect(throws: EncodingError.self) { try ArchiveEncoder().encode([Torn()]) }
    #expect(refusal(of: error)?.place == "[0]")
    #expect(refusal(of: error)?.text == "A value asked for containers of different kinds.")
  }

  @Test func `A member that requests a container after its value is refused`() {
    struct Torn: Encodable, Hashable {
      let number: Int
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
        _ = encoder.unkeyedContainer()
      }
    }
    let error = #expect(throws: EncodingError.self) {
      try ArchiveEncoder().encode([Torn(number: 1), Torn(number: 2)] as Set)
    }
    #expect(refusal(of: error)?.text == "A value asked for containers of different kinds.")
  }

  @Test func `A value that encodes itself twice in one place is refused`() {
    struct Double: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(1)
        try container.encode(2)
      }
    }
    let error = #expect(throws: EncodingError.self) { try ArchiveEncoder().encode(Double()) }
    #expect(refusal(of: error)?.place == "")
    #expect(refusal(of: error)?.text == "A value encoded itself twice in one place.")
  }

  final class Link: Codable {
    var next: Link?
    init(next: Link? = nil) { self.next = next }
  }

  private func chain(_ count: Int) -> Link {
    (1..<count).reduce(Link()) { link, _ in Link(next: link) }
  }

  @Test func `Values nest as deep as a reader accepts and no deeper`() throws {
    // The root object itself is the first of the eight levels.
    var count = 0
    var link: Link? = try roundTrip(chain(7), limits: limits(depth: 8))
    while let next = link {
      count += 1
      link = next.next
    }
    #expect(count == 7)
    for count in 8...9 {
      let error = #expect(throws: EncodingError.self) {
        try roundTrip(chain(count), limits: limits(depth: 8))
      }
      #expect(refusal(of: error)?.text.contains("nested deeper than") == true)
    }
  }

  @Test func `A value that contains itself is refused`() {
    let link = Link()
    link.next = link
    defer { link.next = nil }
    let error = #expect(throws: EncodingError.self) { try ArchiveEncoder().encode(link) }
    guard case .invalidValue(_, let context) = error else { return }
    #expect(context.debugDescription.contains("64 levels"))
  }

  @Test func `Bytes that are not an archive are corrupted data with the cause`() throws {
    let error = #expect(throws: DecodingError.self) {
      try ArchiveDecoder().decode(Int.self, from: Data("no archive".utf8))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("not the expected error: \(String(describing: error))")
      return
    }
    #expect(context.underlyingError is ArchiveError)
  }

  @Test func `Every prefix is refused, and every changed byte gives an error or a value`() throws {
    let book = Book(contacts: [
      Contact(name: "Ada", numbers: [1, 2]), Contact(name: "B", numbers: []),
    ])
    let data = try ArchiveEncoder().encode(book)
    for length in 0..<data.count {
      let error = #expect(throws: DecodingError.self, "prefix of \(length) bytes") {
        try ArchiveDecoder().decode(Book.self, from: data.prefix(length))
      }
      #expect(kindAndPath(of: error) == "dataCorrupted ", "prefix of \(length) bytes")
    }
    for position in data.indices {
      for mask: UInt8 in [0x01, 0x80, 0xFF] {
        var changed = data
        changed[position] ^= mask
        do {
          _ = try ArchiveDecoder().decode(Book.self, from: changed)
        } catch is DecodingError {
        } catch {
          Issue.record("byte \(position): \(error)")
        }
      }
    }
  }

  @Test func `A long chain of nested containers is refused without deep recursion`() {
    struct Rows: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for _ in 0..<100_000 { container = container.nestedUnkeyedContainer() }
        try container.encode(1)
      }
    }
    let error = #expect(throws: EncodingError.self) { try ArchiveEncoder().encode(Rows()) }
    #expect(refusal(of: error)?.text.contains("64 levels") == true)
  }

  /// An archive with a truth value under each of `count` keys.
  private func bits(_ count: Int) throws -> Data {
    let value = DynamicValue.bool(true)
    let record = DynamicRecord(
      fields: (0..<count).map { .init(key: ArchiveKey("\($0)"), value: value) })
    var writer = ArchiveWriter()
    try writer.writeObject(ArchiveObjectID(1), typeName: "Codable") { coder in
      coder.encode(DynamicValue.record(record), forKey: "value")
    }
    return Data(try writer.finish(root: ArchiveObjectID(1)))
  }

  @Test(arguments: ["Codable", "CodableList", "Codabl", "codable"])
  func `An archive whose root is of another type is refused, and the type is named`(
    typeName: String
  ) throws {
    var writer = ArchiveWriter()
    try writer.writeObject(ArchiveObjectID(1), typeName: typeName) { coder in
      coder.encode("text", forKey: "value")
    }
    let archive = Data(try writer.finish(root: ArchiveObjectID(1)))
    guard typeName != "Codable" else {
      #expect(try ArchiveDecoder().decode(String.self, from: archive) == "text")
      return
    }
    let error = #expect(throws: DecodingError.self) {
      try ArchiveDecoder().decode(String.self, from: archive)
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(context.debugDescription.contains("its root is a \(typeName)"))
  }

  @Test func `A record with more values than the limit allows is refused`() throws {
    struct Keys: Decodable {
      var count: Int
      init(from decoder: any Decoder) throws {
        count = try decoder.singleValueContainer().decode([String: Nothing].self).count
      }
    }
    struct Nothing: Decodable {
      init(from decoder: any Decoder) throws {}
    }
    #expect(try ArchiveDecoder().decode(Keys.self, from: bits(1_000)).count == 1_000)
    var decoder = ArchiveDecoder()
    decoder.limits.valueCount = 97
    #expect(try decoder.decode(Keys.self, from: bits(97)).count == 97)
    let error = #expect(throws: DecodingError.self) {
      try decoder.decode(Keys.self, from: bits(98))
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect((context.underlyingError as? ArchiveError)?.code == .limitExceeded)
  }

  private func limits(depth: Int) -> ArchiveLimits {
    var limits = ArchiveLimits()
    limits.nestingDepth = depth
    return limits
  }

  private func roundTrip<Value: Codable>(_ value: Value, limits: ArchiveLimits) throws -> Value {
    var encoder = ArchiveEncoder()
    encoder.limits = limits
    var decoder = ArchiveDecoder()
    decoder.limits = limits
    return try decoder.decode(Value.self, from: encoder.encode(value))
  }
}
