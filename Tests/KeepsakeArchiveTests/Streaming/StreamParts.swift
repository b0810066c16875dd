import KeepsakeArchive

/// A sink that keeps the bytes and the length of each write.
final class KeptBytes: ArchiveSink {
  private(set) var bytes: [UInt8] = []
  private(set) var cuts: [Int] = []
  /// The number of calls that succeed before one fails.
  var successes = Int.max

  func write(_ bytes: Span<UInt8>) throws {
    guard cuts.count < successes else { throw BrokenPipe() }
    cuts.append(bytes.count)
    for index in bytes.indices { self.bytes.append(bytes[index]) }
  }
}

/// The error of the sources and sinks of these tests.
struct BrokenPipe: Error, Equatable {}

/// A value record of a stream.
struct Entry: ArchiveRecord, Equatable {
  static let archiveTypeName = "Entry"

  var number: Int
  var text: String

  init(_ number: Int, _ text: String) {
    self.number = number
    self.text = text
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(number, forKey: "number")
    coder.encode(text, forKey: "text")
    // A late key, so that a later segment declares a new shape.
    if number == 1100 { coder.encode(true, forKey: "late") }
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    number = try coder.decode(forKey: "number")
    text = try coder.decode(forKey: "text")
  }

  /// Entries that fill several segments.
  static func list(_ count: Int = 1500) -> [Entry] {
    (0..<count).map { Entry($0, String(repeating: "x", count: $0 % 2000)) }
  }
}

/// The archive of a list of entries, written in memory.
func archiveBytes(of entries: [Entry]) throws -> [UInt8] {
  var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "1.0"))
  for entry in entries {
    try writer.writeObject(writer.nextObjectID, typeName: "Entry") { entry.encode(to: &$0) }
  }
  return try writer.finish(root: first)
}

/// The error of completing an archive.
func finishError(_ writer: consuming ArchiveWriter) -> (any Error)? {
  do {
    _ = try writer.finish(root: first)
  } catch {
    return error
  }
  return nil
}

/// The error of completing a stream.
func finishError(_ writer: consuming ArchiveStreamWriter<KeptBytes>) -> (any Error)? {
  do {
    try writer.finish()
  } catch {
    return error
  }
  return nil
}
