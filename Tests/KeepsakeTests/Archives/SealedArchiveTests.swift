import Foundation
import Keepsake
import Synchronization
import TestSupport
import Testing

/// A value record of a log.
private struct Line: ArchiveRecord, Equatable {
  static let archiveTypeName = "Line"
  var number: Int
  var bytes: ArchiveBytes

  init(_ number: Int, byteCount: Int) {
    self.number = number
    bytes = ArchiveBytes([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: byteCount))
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(number, forKey: "number")
    coder.encode(bytes, forKey: "bytes")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    number = try coder.decode(forKey: "number")
    bytes = try coder.decode(forKey: "bytes")
  }
}

/// A sealed file that counts the bytes that are read from it.
private final class CountedFile: SealedFileSource {
  private let bytes: Data
  private let count = Mutex(0)

  init(_ path: String) throws {
    bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
  }

  var byteCount: Int { bytes.count }

  /// The number of bytes that were read since the last call.
  func takeCount() -> Int {
    count.withLock { count in
      defer { count = 0 }
      return count
    }
  }

  func read(_ range: Range<Int>) throws -> [UInt8] {
    count.withLock { $0 += range.count }
    return Array(bytes[range])
  }
}

@Suite struct `Archives in sealed files` {
  private let key: SealKey

  init() throws { key = try SealKey.generate() }

  private func withDirectory(_ body: (String) throws -> Void) throws {
    try withTemporaryDirectory { try body($0 + "/log.keepsake") }
  }

  @Test func `An archive is sealed while it is written, and read forward`() throws {
    try withDirectory { path in
      let lines = (0..<300).map { Line($0, byteCount: 20_000) }
      let progress = Mutex(0)
      let file = try SealedFileWriter(to: path, for: [.key(key)]) { report in
        progress.withLock { $0 = report.completedByteCount }
        return true
      }
      var writer = ArchiveStreamWriter(to: file)
      for line in lines { try writer.writeObject(line) }
      // The file has accepted most of the archive, and sealed a part of it, before its end is written.
      #expect(writer.byteCount > 5_000_000)
      #expect(file.byteCount == writer.byteCount)
      #expect(progress.withLock { $0 } > 0)
      #expect(!FileManager.default.fileExists(atPath: path))
      try writer.finish()
      try file.finish()
      let opened = try SealedFile.open(path, with: [.key(key)])
      var reader = try ArchiveStreamReader(opened.makeReader())
      var read: [Line] = []
      while let line = try reader.next(Line.self) { read.append(line) }
      #expect(read == lines)
      #expect(reader.summary?.byteCount == opened.plaintextLength)
      let bytes = try opened.read()
      try Archive(bytes).requireCanonical()
    }
  }

  @Test func `Reading one object reads only the chunks that it needs`() throws {
    try withDirectory { path in
      let file = try SealedFileWriter(to: path, for: [.key(key)])
      var writer = ArchiveStreamWriter(to: file)
      for number in 0..<20_000 { try writer.writeObject(Line(number, byteCount: 2000)) }
      try writer.finish()
      try file.finish()
      let counted = try CountedFile(path)
      let chunk = 65_536 + 16
      let opened = try SealedFile.open(source: counted, with: [.key(key)])
      _ = counted.takeCount()
      let archive = try Archive(source: opened)
      // These are the first chunk, with record 0 and its directory, and the last ones, with the footer and the tail.
      #expect(counted.takeCount() <= 4 * chunk)
      for number in [3, 19_990, 10_000, 7777] {
        let line = try Line(from: archive.object(ArchiveObjectID(UInt32(number + 1))))
        #expect(line == Line(number, byteCount: 2000))
        // The directory of the segment is in one chunk, and the record is in one or two.
        #expect(counted.takeCount() <= 3 * chunk)
        _ = try archive.object(ArchiveObjectID(UInt32(number + 1)))
        #expect(counted.takeCount() == 0)
      }
      #expect(counted.byteCount > 600 * chunk)
    }
  }

  @Test func `A damaged chunk is named, and the objects in the others are read`() throws {
    try withDirectory { path in
      let file = try SealedFileWriter(to: path, for: [.key(key)])
      var writer = ArchiveStreamWriter(to: file)
      for number in 0..<100 { try writer.writeObject(Line(number, byteCount: 60_000)) }
      try writer.finish()
      try file.finish()
      var sealed = try Data(contentsOf: URL(fileURLWithPath: path))
      sealed[sealed.count / 2] ^= 1
      let opened = try SealedFile.open(bytes: Array(sealed), with: [.key(key)])
      let archive = try Archive(source: opened)
      #expect(try archive.object(ArchiveObjectID(2)).decode(Int.self, forKey: "number") == 1)
      #expect(try archive.object(ArchiveObjectID(99)).decode(Int.self, forKey: "number") == 98)
      let damaged = #expect(throws: ArchiveError.self) {
        for number in 1...100 { _ = try archive.object(ArchiveObjectID(UInt32(number))) }
      }
      #expect(damaged?.code == .sourceFailed)
      #expect(damaged?.description.contains("chunk") == true)
      var reader = try ArchiveStreamReader(opened.makeReader())
      var count = 0
      let streamed = #expect(throws: SealError.self) {
        while try reader.next(Line.self) != nil { count += 1 }
      }
      #expect(streamed?.code == .damagedChunk)
      #expect(count > 20)
    }
  }
}
