import KeepsakeArchive
import KeepsakeDocuments
import KeepsakeMigration
import TestSupport
import Testing

/// Spec/archive.md, 5.5: numbers in arrays are aligned, whatever moves them while they are written.
@Suite struct `Numbers in arrays` {
  /// A few numbers, in an order in which a writer often predicts another record.
  private let numbers = [0, 1, 22, 5, 11, 3, 22, 0, 13, 6, 7, 44, 19, 2, 45]

  private func expectIsRead(_ archive: Archive, _ mover: MovingRecord.Mover) throws {
    for (index, number) in numbers.enumerated() {
      let isRead = try MovingRecord(mover, number).isRead(
        from: archive.object(ArchiveObjectID(UInt32(index + 2))))
      #expect(isRead, "\(mover) by \(number)")
    }
  }

  private func bytes(_ mover: MovingRecord.Mover, phase: Int) throws -> [UInt8] {
    try archiveBytes(
      phase: phase, numbers.map { number in { MovingRecord(mover, number).encode(to: &$0) } })
  }

  @Test(arguments: MovingRecord.Mover.allCases, 0..<8)
  func `Numbers in arrays are aligned and lent`(mover: MovingRecord.Mover, phase: Int) throws {
    let archive = try Archive(bytes(mover, phase: phase))
    try archive.requireCanonical()
    try expectIsRead(archive, mover)
  }

  // Holds.
  @Test(arguments: MovingRecord.Mover.allCases)
  func `Numbers have the same offsets as in an archive of their own`(mover: MovingRecord.Mover)
    throws
  {
    let together = try bytes(mover, phase: 3)
    for (number, range) in zip(numbers, ArchiveMap(together).records.dropFirst()) {
      let alone = try archiveBytes(
        phase: range.lowerBound & 7, [{ MovingRecord(mover, number).encode(to: &$0) }])
      let record = alone[ArchiveMap(alone).record(2)]
      // The numbers of shapes may differ, and nothing else.
      let count = zip(record, together[range]).count { $0 != $1 }
      #expect(record.count == range.count && count <= 8, "\(mover) by \(number)")
    }
  }

  @Test(arguments: MovingRecord.Mover.allCases)
  func `Numbers are lent from blocks of every size`(
    mover: MovingRecord.Mover
  ) throws {
    let bytes = try bytes(mover, phase: 5)
    for blockByteCount in [8, 24, 128, 1 << 14] {
      let archive = try Archive(source: NotedSource(bytes, blockByteCount: blockByteCount))
      try expectIsRead(archive, mover)
      var number: UInt32 = 0
      try archive.forEachObject { object in
        number += 1
        guard number > 1 else { return }
        let record = MovingRecord(mover, numbers[Int(number) - 2])
        let isRead = try record.isRead(from: object)
        #expect(isRead)
      }
      #expect(number == 16)
    }
  }

  @Test(arguments: MovingRecord.Mover.allCases)
  func `Numbers stay aligned when a document writes them`(mover: MovingRecord.Mover) throws {
    let bytes = try bytes(mover, phase: 1)
    let archive = try Archive(bytes)
    var document = try ArchiveDocument(archive)
    #expect(try document.encoded(order: .stored) == bytes)
    // An edit moves everything after it.
    for text in ["", "a", "abc", String(repeating: "x", count: 256)] {
      try document.update(first) { $0["filler"] = .string(text) }
      for index in numbers.indices {
        try document.update(ArchiveObjectID(UInt32(index + 2))) { $0["added"] = .string(text) }
      }
      let edited = try Archive(document.encoded(order: .stored))
      try edited.requireCanonical()
      try expectIsRead(edited, mover)
    }
  }

  @Test(arguments: 0..<8) func `Numbers are aligned when they are copied`(phase: Int) throws {
    let movers = MovingRecord.Mover.allCases
    let source = try Archive(
      archiveBytes(
        phase: phase, movers.map { mover in { MovingRecord(mover, 6).encode(to: &$0) } }))
    var copier = RecordCopier(barring: [])
    let document = try ArchiveDocument(source)
    let copied = try document.rewritten(limits: .init()) { object, writer in
      let placeholders = object.placeholders()
      guard object.objectID != first,
        let copyPlan = RecordCopyPlan(placeholders, slotCount: object.slotCount, constants: [])
      else {
        // The record before gets another length, which moves the numbers.
        return try writer.writeObject(object.objectID, typeName: "Filler") {
          $0.encode(String(repeating: "x", count: 20 + phase * 5 % 8), forKey: "filler")
        }
      }
      try writer.writeObject(object.objectID, typeName: placeholders.typeName) { coder in
        try coder.encode(copyPlan, of: object, computed: [], &copier)
        // Slots that are added after a copied record move its payloads.
        for index in 0..<phase * 2 { coder.encode(true, forKey: ArchiveKey("behind \(index)")) }
      }
    }
    let archive = try Archive(copied)
    try archive.requireCanonical()
    for (index, mover) in movers.enumerated() {
      let object = try archive.object(ArchiveObjectID(UInt32(index + 2)))
      let isRead = try MovingRecord(mover, 6).isRead(from: object)
      #expect(isRead, "\(mover)")
    }
  }

  // Holds.
  @Test func `Copying sets the bytes around numbers to zero`() throws {
    // An array of many numbers has seven zero bytes before and after it together.
    for phase in 0..<8 {
      let numbers = [Int64](repeating: -1, count: 32)
      let bytes = try archiveBytes(phase: phase, [{ $0.encode(numbers, forKey: "numbers") }])
      let record = ArchiveMap(bytes).body(2)
      var damaged = bytes
      for index in record.dropFirst(3) where damaged[index] == 0 { damaged[index] = 0x5A }
      let source = try Archive(damaged)
      guard case .notCanonical = try source.verdict() else {
        Issue.record("bytes around numbers were not checked")
        continue
      }
      var copier = RecordCopier(barring: [])
      let copied = try ArchiveDocument(source).rewritten(limits: .init()) { object, writer in
        let placeholders = object.placeholders()
        let copyPlan = try #require(
          RecordCopyPlan(placeholders, slotCount: object.slotCount, constants: []))
        try writer.writeObject(object.objectID, typeName: placeholders.typeName) { coder in
          try coder.encode(copyPlan, of: object, computed: [], &copier)
        }
      }
      #expect(copied == bytes)
    }
  }

  @Test func `Numbers are aligned in every segment of a stream`() throws {
    let sink = KeptBytes()
    var writer = ArchiveStreamWriter(to: sink)
    let movers = MovingRecord.Mover.allCases
    for number in 0..<1400 {
      try writer.writeObject(MovingRecord(movers[number % movers.count], number % 46))
    }
    try writer.finish()
    #expect(sink.cuts.count > 2)
    try Archive(sink.bytes).requireCanonical()
    var reader = try ArchiveStreamReader(PiecewiseSource(sink.bytes, piece: 1013))
    var number = 0
    while true {
      let isRead = try reader.withNextObject { object throws -> Bool in
        try MovingRecord(movers[number % movers.count], number % 46).isRead(from: object)
      }
      guard let isRead else { break }
      #expect(isRead, "object \(number)")
      number += 1
    }
    #expect(number == 1400)
  }
}
