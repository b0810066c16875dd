import KeepsakeArchive
import Testing

/// The record of the object is the first level, each container in it one more (Spec/archive.md, 7.6).
@Suite struct `Levels of values` {
  enum Container: CaseIterable {
    case record, enumeration, array, dictionary

    /// So many of them inside each other, the innermost empty.
    func nested(_ count: Int) -> ArchivedValue {
      let empty: ArchivedValue =
        switch self {
        case .record: .record(.init())
        case .enumeration: .enumeration("c", .init())
        case .array: .array([])
        case .dictionary: .dictionary([])
        }
      return (1..<count).reduce(empty) { value, _ in
        switch self {
        case .record: .record(.init(fields: [.init(key: "k", value: value)]))
        case .enumeration: .enumeration("c", .init(fields: [.init(key: "k", value: value)]))
        case .array: .array([value])
        case .dictionary: .dictionary([.init(key: .bool(true), value: value)])
        }
      }
    }
  }

  private func bytes(_ value: ArchivedValue) throws -> [UInt8] {
    var limits = ArchiveLimits()
    limits.nestingDepth = 100
    return try archiveBytes(limits: limits) { $0.encode(value, forKey: "v") }
  }

  @Test(arguments: Container.allCases)
  func `All that are allowed are written, read, checked and written back`(
    container: Container
  ) throws {
    let value = container.nested(63)
    let bytes = try archiveBytes { $0.encode(value, forKey: "v") }
    let archive = try Archive(bytes)
    try archive.verify()
    #expect(try archive.object(first).dynamicValue(forKey: "v") == value)
    #expect(try ArchiveDocument(archive).encoded() == bytes)
  }

  @Test(arguments: Container.allCases)
  func `One more is refused by writing, reading and checking alike`(container: Container) throws {
    let value = container.nested(64)
    #expect(
      archiveError { _ = try archiveBytes { $0.encode(value, forKey: "v") } }?.code
        == .limitExceeded)
    let archive = try Archive(bytes(value))
    #expect(archiveError { try archive.verify() }?.code == .limitExceeded)
    let object = archiveError { _ = try archive.object(first).dynamicRecord() }
    #expect(object?.code == .limitExceeded)
    #expect(object?.keyPath.count == 64)
    #expect(object?.keyPath.first == "v")
    let read = archiveError { _ = try archive.object(first).dynamicValue(forKey: "v") }
    #expect(read == object)
  }

  @Test func `Typed reading counts them in the same way`() throws {
    struct Box: ArchiveRecord {
      var inner: [Box]
      func encode(with coder: inout ObjectEncoder) { coder.encode(inner, forKey: "inner") }
      init(inner: [Box]) { self.inner = inner }
      init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
        inner = try coder.decode(forKey: "inner")
      }
    }
    func nested(_ count: Int) -> Box {
      (0..<count).reduce(Box(inner: [])) { box, _ in Box(inner: [box]) }
    }
    // The object, and for each box an array and a record; the innermost array is empty.
    var limits = ArchiveLimits()
    limits.nestingDepth = 100
    for (count, isAllowed) in [(31, true), (32, false)] {
      let bytes = try archiveBytes(limits: limits) { nested(count).encode(with: &$0) }
      let error = archiveError { _ = try Box(from: Archive(bytes).object(first)) }
      #expect(error?.code == (isAllowed ? nil : .limitExceeded))
      #expect(verifyError(bytes)?.code == (isAllowed ? nil : .limitExceeded))
    }
  }
}

/// Values without bytes, in numbers that no writer of today makes.
@Suite struct `Values that take no bytes` {
  /// An object with so many values of an unknown kind that takes no bytes.
  private func archive(_ count: Int, limits: ArchiveLimits = .default) throws -> Archive {
    let free = ArchivedValue.unknown(ArchiveTag(rawValue: 20 << 3), bytes: [])
    let bytes = try archiveBytes { coder in
      for index in 0..<count { coder.encode(free, forKey: ArchiveKey("\(index)")) }
    }
    return try Archive(bytes, limits: limits)
  }

  @Test func `Reading a whole object makes no more of them than its bytes pay for`() throws {
    // The record has four bytes: eight values for each, and 64 more.
    let most = try archive(96)
    #expect(try most.object(first).dynamicRecord().fields.count == 96)
    try most.verify()
    let more = try archive(97)
    for error in [
      archiveError { _ = try more.object(first).dynamicRecord() },
      archiveError { try more.verify() },
      archiveError { _ = try ArchiveDocument(more).encoded() },
    ] {
      #expect(error?.code == .limitExceeded)
      #expect(error?.offset == ArchiveMap(try archiveBytes { _ in }).record(1).lowerBound)
    }
    // What is asked for by its key is read as ever.
    let object = try more.object(first)
    #expect(object.keys.count == 97)
  }

  @Test func `A limit of the program's own takes the place of the default`() throws {
    var limits = ArchiveLimits()
    limits.valueCount = 97
    #expect(try archive(97, limits: limits).object(first).dynamicRecord().fields.count == 97)
    #expect(
      archiveError { _ = try archive(98, limits: limits).object(first).dynamicRecord() }?.code
        == .limitExceeded)
  }

  @Test func `Each nested record has to pay for its own`() throws {
    let free = ArchivedValue.unknown(ArchiveTag(rawValue: 20 << 3), bytes: [])
    let fields = (0..<97).map { ArchivedRecord.Field(key: ArchiveKey("\($0)"), value: free) }
    let inner = ArchivedValue.record(.init(fields: fields))
    let bytes = try archiveBytes { coder in
      coder.encode(String(repeating: "x", count: 10_000), forKey: "text")
      coder.encode([inner], forKey: "v")
    }
    let object = archiveError { _ = try Archive(bytes).object(first).dynamicRecord() }
    #expect(object?.code == .limitExceeded && object?.keyPath == ["v", "[0]"])
    #expect(verifyError(bytes)?.code == .limitExceeded)
    #expect(verifyError(bytes)?.keyPath == ["v", "[0]"])
  }

  @Test func `Nils in their bits are paid for`() throws {
    let bytes = try archiveBytes { coder in
      for index in 0..<5_000 {
        coder.encode(ArchivedValue.null, forKey: ArchiveKey("\(index)"))
      }
    }
    let archive = try Archive(bytes)
    try archive.verify()
    #expect(try archive.object(first).dynamicRecord().fields.count == 5_000)
    #expect(try ArchiveDocument(archive).encoded() == bytes)
  }
}
