import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Each number of ``ArchiveLimits`` is set one below the need of an archive, to the need and one above it, for every
/// writer and every reader (Spec/archive.md, 7.6).
@Suite struct `Each limit of an archive` {
  /// Writes two objects of two types with six keys and scopes together, and at most three slots in a record.
  private static func write(
    _ object: (String, (inout ObjectEncoder) throws -> Void) throws -> Void
  ) rethrows {
    try object("T") { coder in
      coder.encode(1 as Int8, forKey: "a")
      coder.encode("eleven byte", forKey: "bb")
      coder.withScope("outer") { coder in
        coder.withScope("innermost") { $0.encode(true, forKey: "c") }
      }
    }
    try object("U") { $0.encode(2 as Int8, forKey: "d") }
  }

  private static func written(_ limits: ArchiveLimits = .init()) throws -> [UInt8] {
    var writer = ArchiveWriter(limits: limits)
    try write { try writer.writeObject(writer.nextObjectID, typeName: $0, $1) }
    return try writer.finish(root: first)
  }

  private static func streamed(_ limits: ArchiveLimits) throws -> [UInt8] {
    let sink = KeptBytes()
    var writer = ArchiveStreamWriter(to: sink, limits: limits)
    try write { try writer.writeObject(typeName: $0, $1) }
    try writer.finish()
    return sink.bytes
  }

  enum Limit: String, CaseIterable {
    case byteCount, recordByteCount, nestingDepth, nameByteCount, keyCount, typeCount, shapeCount
    case slotCount

    var path: WritableKeyPath<ArchiveLimits, Int> {
      switch self {
      case .byteCount: \.byteCount
      case .recordByteCount: \.recordByteCount
      case .nestingDepth: \.nestingDepth
      case .nameByteCount: \.nameByteCount
      case .keyCount: \.keyCount
      case .typeCount: \.typeCount
      case .shapeCount: \.shapeCount
      case .slotCount: \.slotCount
      }
    }

    /// The least limit that allows the archive.
    func need(_ bytes: [UInt8]) -> Int {
      switch self {
      case .byteCount: bytes.count
      case .recordByteCount: ArchiveMap(bytes).record(1).count
      case .nestingDepth, .typeCount, .shapeCount: 2
      case .nameByteCount: 9
      case .keyCount: 6
      case .slotCount: 3
      }
    }
  }

  private func check(_ isSame: Bool) { #expect(isSame) }

  @Test(arguments: Limit.allCases, [-1, 0, 1])
  func `Every reader and writer allows a value at a limit and refuses one above`(
    limit: Limit, difference: Int
  ) throws {
    let bytes = try Self.written()
    var limits = ArchiveLimits()
    limits[keyPath: limit.path] = limit.need(bytes) + difference
    let errors = [
      archiveError { try check(Self.written(limits) == bytes) },
      archiveError { try check(Self.streamed(limits) == bytes) },
      archiveError { _ = try Reading(Archive(bytes, limits: limits)) },
      archiveError { _ = try Reading(Archive(source: NotedSource(bytes), limits: limits)) },
      archiveError { _ = try Reading(forward: PiecewiseSource(bytes), limits: limits) },
      archiveError { try Archive(bytes, limits: limits).requireCanonical() },
      archiveError {
        _ = try ArchiveDocument(Archive(bytes)).encoded(limits: limits)
      },
    ]
    for (place, error) in errors.enumerated() {
      #expect(error?.code == (difference < 0 ? .limitExceeded : nil), "\(place)")
      if difference < 0 {
        #expect(
          error?.description.contains("ArchiveLimits.\(limit)") == true, "\(place)")
        #expect(
          error?.description.contains("raise \(limit) in the ArchiveLimits") == true, "\(place)")
      }
    }
  }
}
