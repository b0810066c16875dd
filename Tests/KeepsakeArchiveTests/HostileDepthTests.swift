import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Depth and cycles, A-36 and A-66.
///
/// The suite for a small stack is in DeepGraphTests.swift.
@Suite struct `Hostile depth and cycles` {
  @Test func `Deep nesting ends at the limit`() throws {
    var limits = ArchiveLimits()
    limits.nestingDepth = 200
    var value = DynamicValue.null
    for _ in 0..<150 { value = .array([value]) }
    let bytes = try archiveBytes(limits: limits) { $0.encode(value, forKey: "v") }
    try Archive(bytes, limits: limits).requireCanonical()
    let archive = try Archive(bytes)
    #expect(archiveError { try archive.requireCanonical() }?.code == .limitExceeded)
    #expect(readError(bytes, DynamicValue.self)?.code == .limitExceeded)
  }

  /// A reader does not descend into values that it skips.
  @Test func `A value that is too deep leaves the others readable`() throws {
    var limits = ArchiveLimits()
    limits.nestingDepth = 200
    var value = DynamicValue.null
    for _ in 0..<150 { value = .array([value]) }
    let bytes = try archiveBytes(limits: limits) { coder in
      coder.encode(value, forKey: "v")
      coder.encode(7, forKey: "behind")
    }
    #expect(try Archive(bytes).object(first).decode(Int.self, forKey: "behind") == 7)
  }

  /// A record is stored inside a payload of the outer one, so it is smaller.
  @Test func `A record cannot contain itself`() throws {
    let (bytes, _, payload) = try single(
      DynamicValue.record(.init(fields: [.init(key: "v", value: .array([]))])))
    // The number of its shape becomes that of the outer one.
    let outer = UInt64(ArchiveMap(bytes).segments[0].shape ?? 0)
    let changed = patched(bytes, at: payload, byteCount: 1, outer)
    #expect(verifyError(changed) != nil)
    let value = try? Archive(changed).object(first).decode(DynamicValue.self, forKey: "v")
    #expect(value.map { "\($0)".utf8.count < 1000 } ?? true)
  }

  /// The innermost record gets the shape of the others, but has no room for one more.
  @Test func `Nested records of one shape are refused when their bytes end`() throws {
    var value = DynamicValue.record(.init(typeName: "T"))
    for _ in 0..<20 {
      value = .record(.init(typeName: "T", fields: [.init(key: "v", value: value)]))
    }
    let (bytes, _, payload) = try single(value)
    let map = ArchiveMap(bytes)
    let shape = number(in: bytes, at: payload, byteCount: 1)
    // The innermost record, which has no keys, gets the shape of the outer ones.
    let innermost = map.record(1).upperBound - 1
    let changed = patched(bytes, at: innermost, byteCount: 1, shape)
    #expect(readError(changed, DynamicValue.self)?.code == .damaged)
    #expect(verifyError(changed)?.code == .damaged)
  }

  @Test func `An object cannot be read in the initialiser of another one`() throws {
    let eager = Eager()
    eager.other = eager
    defer { eager.other = nil }
    var registry = TypeRegistry()
    try registry.register(Eager.self)
    let archive = try Archive(Archive.encode(eager))
    let error = archiveError { _ = try archive.decodeRoot(Eager.self, registry: registry) }
    #expect(error?.code == .outsideGraph)
    #expect(error?.keyPath == ["other"])
  }

  @Test func `A key whose tag becomes that of a reference is refused`() throws {
    let bytes = try archiveBytes { $0.encode([UInt32(1): true, 2: false], forKey: "v") }
    for tag in [ArchiveTag.reference, .conditionalReference] {
      let changed = retaggingKeys(bytes, UInt64(tag.rawValue))
      #expect(readError(changed, DynamicValue.self)?.code == .damaged)
      #expect(readError(changed, DynamicValue.self)?.message.contains("is used as a key") == true)
      #expect(readError(changed, [UInt32: Bool].self)?.code == .damaged)
      #expect(verifyError(changed)?.code == .damaged)
    }
    let unknown = retaggingKeys(bytes, 20 << 3 | 3)
    #expect(readError(unknown, DynamicValue.self)?.code == .unsupportedFeature)
  }

  /// Gives the keys another tag.
  ///
  /// They are numbers of four bytes in an array, which follows a byte with its length.
  private func retaggingKeys(_ bytes: [UInt8], _ tag: UInt64) -> [UInt8] {
    patched(bytes, at: ArchiveMap(bytes).payload("v") + 1, byteCount: 1, tag)
  }
}

/// An object that reads another one in its own initialiser.
private final class Eager: ArchiveObject {
  static let archiveTypeName = "Eager"
  var other: Eager?

  init() {}

  func encode(to coder: inout ObjectEncoder) {
    coder.encodeReference(other, forKey: "other")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    other = try coder.decodeReference(forKey: "other")
  }

  func decode(from coder: borrowing ObjectDecoder) throws {}
}
