import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// An object with one value.
private final class Holder: ArchiveObject {
  static let archiveTypeName = "Holder"
  let value: DynamicValue

  init(_ value: DynamicValue) { self.value = value }

  func encode(to coder: inout ObjectEncoder) { coder.encode(value, forKey: "v") }

  init(from coder: borrowing ObjectDecoder) throws { value = try coder.decode(forKey: "v") }
}

/// The record of the object is the first level, and each container in it is one more (Spec/archive.md, 7.6).
@Suite struct `Levels of values` {
  enum Container: CaseIterable {
    case record, enumeration, array, dictionary

    /// This number of containers inside each other, the innermost one empty.
    func nested(_ count: Int) -> DynamicValue {
      let empty: DynamicValue =
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

  private func bytes(_ value: DynamicValue) throws -> [UInt8] {
    var limits = ArchiveLimits()
    limits.nestingDepth = 100
    return try archiveBytes(limits: limits) { $0.encode(value, forKey: "v") }
  }

  @Test(arguments: Container.allCases)
  func `64 levels are written, read, checked and written back`(
    container: Container
  ) throws {
    let value = container.nested(63)
    let bytes = try archiveBytes { $0.encode(value, forKey: "v") }
    let archive = try Archive(bytes)
    try archive.requireCanonical()
    #expect(try archive.object(first).decode(DynamicValue.self, forKey: "v") == value)
    #expect(try ArchiveDocument(archive).encoded() == bytes)
  }

  @Test(arguments: Container.allCases)
  func `A 65th level is refused by writing, reading and checking`(container: Container)
    throws
  {
    let value = container.nested(64)
    #expect(
      archiveError { _ = try archiveBytes { $0.encode(value, forKey: "v") } }?.code
        == .limitExceeded)
    let archive = try Archive(bytes(value))
    #expect(archiveError { try archive.requireCanonical() }?.code == .limitExceeded)
    let object = archiveError { _ = try archive.object(first).dynamicRecord() }
    #expect(object?.code == .limitExceeded)
    #expect(object?.keyPath.count == 64)
    #expect(object?.keyPath.first == "v")
    let read = archiveError {
      _ = try archive.object(first).decode(DynamicValue.self, forKey: "v")
    }
    #expect(read == object)
  }

  @Test func `Reading a graph counts levels in the same way`() throws {
    var registry = TypeRegistry()
    try registry.register(Holder.self)
    for (count, isAllowed) in [(62, true), (63, true), (64, false)] {
      var limits = ArchiveLimits()
      limits.nestingDepth = 100
      let bytes = try Archive.encode(
        Holder(Container.array.nested(count)), limits: limits)
      let error = archiveError {
        _ = try Archive(bytes).decodeRoot(Holder.self, registry: registry)
      }
      #expect(error?.code == (isAllowed ? nil : .limitExceeded))
    }
  }

  @Test func `Typed reading counts levels in the same way`() throws {
    struct Box: ArchiveRecord {
      var inner: [Box]
      func encode(to coder: inout ObjectEncoder) { coder.encode(inner, forKey: "inner") }
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
      let bytes = try archiveBytes(limits: limits) { nested(count).encode(to: &$0) }
      let error = archiveError { _ = try Box(from: Archive(bytes).object(first)) }
      #expect(error?.code == (isAllowed ? nil : .limitExceeded))
      #expect(verifyError(bytes)?.code == (isAllowed ? nil : .limitExceeded))
    }
  }
}

/// The limit on the number of values of a record that is read whole.
@Suite struct `The number of values of a record` {
  /// An object of this many values of one bit each.
  private func archive(_ count: Int, limits: ArchiveLimits = .init()) throws -> Archive {
    let bytes = try archiveBytes { coder in
      for index in 0..<count { coder.encode(true, forKey: ArchiveKey("\(index)")) }
    }
    return try Archive(bytes, limits: limits)
  }

  @Test
  func `The number of values is limited only by the bytes unless the program sets a limit`() throws
  {
    // Eight values take a byte, which is the most that fit.
    let archive = try archive(1_000)
    try archive.requireCanonical()
    #expect(try archive.object(first).byteCount == 125)
    #expect(try archive.object(first).dynamicRecord().fields.count == 1_000)
  }

  @Test func `The number of values is checked wherever all of them are read`() throws {
    var limits = ArchiveLimits()
    limits.valueCount = 97
    #expect(try archive(97, limits: limits).object(first).dynamicRecord().fields.count == 97)
    try archive(97, limits: limits).requireCanonical()
    let more = try archive(98, limits: limits)
    for error in [
      archiveError { _ = try more.object(first).dynamicRecord() },
      archiveError { try more.requireCanonical() },
      archiveError { _ = try ArchiveDocument(more).encoded() },
    ] {
      #expect(error?.code == .limitExceeded)
      #expect(error?.offset == ArchiveMap(try archiveBytes { _ in }).record(1).lowerBound)
    }
    // A value is still read by its key.
    #expect(try more.object(first).keys.count == 98)
    #expect(try more.object(first).decode(Bool.self, forKey: "97"))
  }

  @Test func `The number of values is counted for each nested record by itself`() throws {
    var limits = ArchiveLimits()
    limits.valueCount = 97
    let fields = (0..<98).map { index in
      DynamicRecord.Field(key: ArchiveKey("\(index)"), value: .bool(true))
    }
    let inner = DynamicValue.record(.init(fields: fields))
    let bytes = try archiveBytes { coder in
      coder.encode(String(repeating: "x", count: 10_000), forKey: "text")
      coder.encode([inner], forKey: "v")
    }
    let archive = try Archive(bytes, limits: limits)
    let object = archiveError { _ = try archive.object(first).dynamicRecord() }
    #expect(object?.code == .limitExceeded && object?.keyPath == ["v", "[0]"])
    let verified = archiveError { try archive.requireCanonical() }
    #expect(verified?.code == .limitExceeded)
    #expect(verified?.keyPath == ["v", "[0]"])
  }

  @Test func `A record of 5,000 nils is read and written back`() throws {
    let bytes = try archiveBytes { coder in
      for index in 0..<5_000 {
        coder.encode(DynamicValue.null, forKey: ArchiveKey("\(index)"))
      }
    }
    let archive = try Archive(bytes)
    try archive.requireCanonical()
    #expect(try archive.object(first).dynamicRecord().fields.count == 5_000)
    #expect(try ArchiveDocument(archive).encoded() == bytes)
  }
}
