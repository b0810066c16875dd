import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Spec/archive.md, 4.4 and 5.5: the ends of payloads and the alignments of numbers that are refused.
@Suite struct `Hostile ends and alignments` {
  /// The bytes of an archive whose record has payloads of these lengths, and the offset and width of its ends.
  private func bytes(_ lengths: [Int]) throws -> (bytes: [UInt8], ends: Int, width: Int) {
    let bytes = try archiveBytes { coder in
      for (index, length) in lengths.enumerated() {
        coder.encode(
          ArchiveBytes([UInt8](repeating: 1, count: length)), forKey: ArchiveKey("\(index)"))
      }
    }
    let map = ArchiveMap(bytes)
    return (bytes, map.body().lowerBound, map.endByteCount())
  }

  /// The lengths of the payloads that are read; nil if the record is refused as damaged.
  private func lengths(_ archive: Archive, _ count: Int) throws -> [Int]? {
    do {
      let object = try archive.object(first)
      return try (0..<count).map {
        try object.decode(ArchiveBytes.self, forKey: ArchiveKey("\($0)")).bytes.count
      }
    } catch let error as ArchiveError where error.code == .damaged {
      return nil
    }
  }

  @Test(arguments: 1...20)
  func `Ends of payloads are refused unless they are in order`(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    for total in [0, 7, 127, 128, 255, 256, 300, 65_535, 65_536] {
      let share = Array(repeating: total / count, count: count - 1)
      let (bytes, ends, width) = try bytes(share + [total - share.reduce(0, +)])
      for round in 0..<40 {
        // Most ends are in order, so that one end decides.
        var found = (0..<count).map { _ in generator.below(total + 1) }.sorted()
        if generator.chance(of: 3) {
          found[generator.below(count)] = generator.below(min(total + 40, 1 << (8 * width)))
        }
        // The last payload ends where the body does.
        found[count - 1] = total
        var hostile = bytes
        for (index, end) in found.dropLast().enumerated() {
          hostile = patched(hostile, at: ends + index * width, byteCount: width, UInt64(end))
        }
        let isSound = found == found.sorted()
        let expected = zip(found, [0] + found).map { $0 - $1 }
        for archive in [try Archive(hostile), try Archive(source: NotedSource(hostile))] {
          let read = try lengths(archive, count)
          #expect(read == (isSound ? expected : nil), "round \(round): \(found) of \(total)")
        }
      }
    }
  }

  @Test(arguments: 0..<8)
  func `Numbers at an unaligned offset are read, and lent as a copy`(
    phase: Int
  ) throws {
    let numbers = (0..<40).map { Double($0) }
    let bytes = try archiveBytes(phase: phase, [{ $0.encode(numbers, forKey: "numbers") }])
    let header = ArchiveMap(bytes).body(2).lowerBound
    #expect(Int(bytes[header + 2]) == -(header + 3) & 7)
    for zeros in 0...255 as ClosedRange<UInt8> where zeros != bytes[header + 2] {
      let archive = try Archive(patched(bytes, at: header + 2, byteCount: 1, UInt64(zeros)))
      let object = try archive.object(second)
      let isRead = zeros < 8
      let error = archiveError {
        let lent = try object.borrowedNumbers(of: Double.self, forKey: "numbers")
        let copied = try object.decode([Double].self, forKey: "numbers")
        #expect(lent.map(\.bitPattern) == copied.map(\.bitPattern))
      }
      #expect(error?.code == (isRead ? nil : .damaged))
      #expect(
        archiveError { try archive.requireCanonical() }?.code == (isRead ? .nonCanonical : .damaged)
      )
    }
  }
}
