internal import KeepsakeArchive
internal import KeepsakeDocuments

// A segment that another one follows is full, or the next one starts with a long body (Spec/archive.md, 3.3). To
// keep inputs small, such an archive is stored with short records in place of the fillers.

extension ArchiveParts {
  /// The length of a filler of a segment, and the payload that replaces it.
  private static let fillByteCount = 64 * 1024
  private static let stand = Array("FILLFILL".utf8)

  /// Replaces short records by the fillers that they stand for, at most a few.
  package func filled() -> ArchiveParts? {
    var parts = self
    var count = 0
    for (segment, records) in segments.enumerated() {
      for (index, record) in records.enumerated()
      where record.count == 9 && record[1...].elementsEqual(Self.stand) {
        count += 1
        var full = Array(record[..<1])
        full.append(zeros: Self.fillByteCount)
        parts.segments[segment][index] = full
      }
    }
    return (1...4).contains(count) ? parts : nil
  }

  /// Replaces fillers of segments by short records.
  func emptied() -> ArchiveParts {
    var parts = self
    for (segment, records) in segments.enumerated() {
      for (index, record) in records.enumerated() where record.count > Self.fillByteCount {
        parts.segments[segment][index] = record[..<1] + Self.stand
      }
    }
    return parts
  }
}

extension ArchiveSeeds {
  /// Archives of several segments, each with entries of its own.
  package static func segmented() throws -> [[UInt8]] {
    try [2, 3].map { segments in
      var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "2"))
      let count = UInt32(segments) * 3
      for number in 1...count {
        let name = "\(number / 3)"
        let isFiller = number % 3 == 2
        try writer.writeObject(
          ArchiveObjectID(number), typeName: isFiller ? "Filler" : "Type " + name
        ) { coder in
          if isFiller {
            coder.encode(
              ArchiveBytes([UInt8](repeating: 0, count: 64 * 1024)), forKey: "fill")
            return
          }
          coder.encode(ArchiveReference(ArchiveObjectID(count - number + 1)), forKey: "other")
          coder.encode(ArchiveConditionalReference(number % 3), forKey: "perhaps")
          coder.withScope("scope " + name) { $0.encode(["text", nil], forKey: "strings") }
          let fields = [DynamicRecord.Field(key: ArchiveKey("key " + name), value: .bool(true))]
          coder.encode(
            DynamicValue.array([.record(DynamicRecord(typeName: "P" + name, fields: fields))]),
            forKey: "records")
        }
      }
      writer.conditionalObjects = [ArchiveObjectID(count), nil]
      let bytes = try writer.finish(root: ArchiveObjectID(1))
      return ArchiveParts(bytes)?.emptied().assembled() ?? bytes
    }
  }
}
