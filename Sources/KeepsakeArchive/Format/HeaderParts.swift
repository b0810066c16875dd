// The parts at the start of an archive, each with one function that writes it and one that reads it (Spec/archive.md,
// 3.1 and 3.2). Fields are written and read in order, so the offset of a field is stated nowhere.

/// The first bytes of every archive (Spec/archive.md, 3.1).
enum ArchiveHeader {
  static let byteCount = 20
  /// 89 "KSA" 0D 0A 1A 0A: not text, and damaged by any transfer that converts line ends.
  private static let magic: UInt64 = 0x0A1A_0A0D_4153_4B89
  private static let version: UInt16 = 1

  static func write(valuesByteCount: Int, to bytes: inout ByteBuffer) {
    bytes.append(magic)
    bytes.append(version)
    // The minor version and the features that readers must understand are 0.
    bytes.append(0 as UInt16)
    bytes.append(0 as UInt32)
    // `ArchiveWriter.init` refuses more.
    bytes.append(UInt32(clamping: valuesByteCount))
  }

  /// Checks the header, even if it is cut short, and returns where the archive values end.
  static func read(_ bytes: ByteRegion) throws(ArchiveError) -> Int {
    var fields = FieldCursor(bytes, at: 0)
    guard let first: UInt64 = fields.next() else {
      throw ArchiveError(
        .truncated, "the archive has \(bytes.end) bytes, fewer than any archive", offset: 0)
    }
    guard first == magic else {
      throw ArchiveError(.notAnArchive, "the bytes do not begin as an archive does", offset: 0)
    }
    guard bytes.end >= byteCount else {
      throw ArchiveError(.truncated, "the archive ends inside its header", offset: bytes.end)
    }
    let place = fields.offset
    let stored: UInt16 = fields.next() ?? .max
    guard stored == version else {
      throw ArchiveError(
        .unsupportedVersion,
        stored == 0
          ? "the archive is a draft of the format, version 0, which no library reads any more"
          : "the archive is of format version \(stored), and this library reads version \(version)",
        offset: place)
    }
    let _: UInt16? = fields.next()  // The minor version, which readers ignore.
    let required = fields.offset
    guard fields.next() == (0 as UInt32) else {
      throw ArchiveError(
        .unsupportedFeature, "the archive uses a feature that this library does not know",
        offset: required)
    }
    let length: UInt32 = fields.next() ?? 0
    return byteCount + Int(length)
  }
}

/// One of the archive values: its number, its tag and its bytes (Spec/archive.md, 3.2).
package struct ArchiveValueEntry: Equatable, Sendable {
  static let headByteCount = 6

  package var number: UInt8
  package var tag: ArchiveTag
  package var bytes: [UInt8]

  package init(number: UInt8, tag: ArchiveTag, bytes: [UInt8]) {
    (self.number, self.tag, self.bytes) = (number, tag, bytes)
  }

  func write(to buffer: inout ByteBuffer) {
    buffer.append(number)
    buffer.append(tag.rawValue)
    buffer.append(UInt32(clamping: bytes.count))
    buffer.append(scalars: bytes)
  }
}

/// The position of an archive value that was read.
struct ArchiveValueRow: Sendable {
  var number: UInt8
  var tag: ArchiveTag
  /// The bytes of its slot or payload.
  var range: Range<Int>

  /// Reads the archive values, which follow the header.
  static func read(_ bytes: ByteRegion, to end: Int) throws(ArchiveError) -> [ArchiveValueRow] {
    var rows: [ArchiveValueRow] = []
    var fields = FieldCursor(bytes, at: ArchiveHeader.byteCount)
    while fields.offset < end {
      let start = fields.offset
      guard end - start >= ArchiveValueEntry.headByteCount, let number: UInt8 = fields.next(),
        let tag: UInt8 = fields.next(), let length: UInt32 = fields.next(),
        Int(length) <= end - fields.offset
      else { throw .damaged("an archive value is longer than all archive values", at: start) }
      let row = ArchiveValueRow(
        number: number, tag: ArchiveTag(rawValue: tag),
        range: fields.offset..<fields.offset + Int(length))
      guard number > rows.last?.number ?? 0 || rows.isEmpty else {
        throw .damaged("the numbers of archive values do not increase", at: start)
      }
      try row.checkTag()
      rows.append(row)
      fields = FieldCursor(bytes, at: row.range.upperBound)
    }
    return rows
  }

  private func checkTag() throws(ArchiveError) {
    if let key = ReservedValues.key(ofNumber: number) {
      let expected = ReservedValues.tags[Int(number) - 1]
      guard tag == expected else {
        throw .damaged(
          "the reserved value \(key) is stored as \(tag) and not as \(expected)",
          at: range.lowerBound)
      }
    }
    guard tag.isWellFormed, !tag.isBit, tag.isKeyable || tag.kind == nil else {
      throw .damaged("an archive value has a kind that is not allowed for it", at: range.lowerBound)
    }
    guard tag.isVariable || range.count == tag.byteCount else {
      throw .damaged("the length of an archive value does not match its kind", at: range.lowerBound)
    }
  }
}
