import KeepsakeArchive
import KeepsakeDocuments
import Synchronization

/// A source that gives its bytes in pieces, and fails at a chosen place.
struct PiecewiseSource: ArchiveSource {
  let bytes: [UInt8]
  var offset = 0
  /// The most bytes that a call gives.
  var piece = Int.max
  /// The number of calls that succeed before one fails.
  var successes = Int.max
  let calls = Counter()
  /// The number of bytes that were given.
  let given = Counter()

  init(_ bytes: [UInt8], piece: Int = .max, successes: Int = .max) {
    self.bytes = bytes
    self.piece = piece
    self.successes = successes
  }

  mutating func read(into output: inout OutputSpan<UInt8>) throws {
    guard calls.count < successes else { throw BrokenPipe() }
    calls.add(1)
    let count = min(piece, output.freeCapacity, bytes.count - offset)
    for index in offset..<offset + count { output.append(bytes[index]) }
    offset += count
    given.add(count)
  }
}

/// A counter that a test can read from outside.
final class Counter: Sendable {
  private let value = Mutex(0)

  var count: Int { value.withLock { $0 } }

  func add(_ number: Int) { value.withLock { $0 += number } }
}

extension ArchiveStreamReader {
  /// Passes all further objects to a closure.
  mutating func forEachObject(_ body: (borrowing ObjectDecoder) throws -> Void) throws {
    while try withNextObject(body) != nil {}
  }
}

/// A positioned source that gives other bytes when the same offset is read again.
final class ChangingSource: ArchivePositionedSource {
  private let original: [UInt8]
  private let changed: [UInt8]
  let blockByteCount: Int
  /// The offsets of all reads so far.
  private let offsets = Mutex<Set<Int>>([])

  /// Takes the bytes for first reads, and as many for all later ones.
  init(_ original: [UInt8], later changed: [UInt8], blockByteCount: Int) {
    self.original = original
    self.changed = changed
    self.blockByteCount = blockByteCount
  }

  var byteCount: Int { original.count }

  func read(_ range: Range<Int>) throws -> [UInt8] {
    let isFirst = offsets.withLock { $0.insert(range.lowerBound).inserted }
    return Array(isFirst ? original[range] : changed[range])
  }
}

/// The contents of an archive, as a reader gives them.
struct Reading: Equatable {
  var reserved: ReservedValues
  var rootID: ArchiveObjectID
  var objects: [DynamicRecord]
  var conditionalObjects: [ArchiveObjectID?]

  /// Reads everything, object by object.
  init(_ archive: Archive) throws {
    reserved = archive.reserved
    rootID = archive.rootID
    objects = try walk(archive)
    conditionalObjects = try archive.conditionalObjects
    _ = try archive.verdict()
    var lent: [DynamicRecord] = []
    try archive.forEachObject { lent.append(try $0.dynamicRecord()) }
    if lent != objects { throw BrokenPipe() }
  }

  /// Reads everything in the order of the bytes.
  init(forward source: some ArchiveSource, limits: ArchiveLimits = .init()) throws {
    var reader = try ArchiveStreamReader(source, limits: limits)
    reserved = reader.reserved
    objects = []
    while let object = try reader.withNextObject({ try $0.dynamicRecord() }) {
      objects.append(object)
    }
    guard let summary = reader.summary, summary.objectCount == objects.count else {
      throw BrokenPipe()
    }
    rootID = summary.rootID
    conditionalObjects = summary.conditionalObjects
  }
}
