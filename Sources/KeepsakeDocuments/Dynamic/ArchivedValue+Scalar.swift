import KeepsakeArchive

extension StoredScalar {
  /// The value for the dynamic view; nil for a kind whose bits have rules beside their width, or that
  /// this version does not know.
  @inline(__always)
  var archivedValue: ArchivedValue? {
    switch tag {
    case .uint8, .uint16, .uint32, .uint64: .unsigned(low, bitWidth: 8 &* tag.byteCount)
    case .int8, .int16, .int32, .int64: .signed(signed, bitWidth: 8 &* tag.byteCount)
    case .double: .double(Double(bitPattern: low))
    case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: low)))
    case .float16: .float16(bitPattern: UInt16(truncatingIfNeeded: low))
    case .int128: .int128(Int128(truncatingIfNeeded: wide))
    case .uint128: .uint128(wide)
    case .date: .date(ArchiveDate(secondsSinceReferenceDate: Double(bitPattern: low)))
    case .uuid: .uuid(ArchiveUUID(low: low, high: high))
    default: nil
    }
  }

  /// The bits that a value of the dynamic view is stored as; nil for a value of no fixed width, and for
  /// an integer that does not fit the width it is given.
  @inline(__always)
  init?(_ value: ArchivedValue) {
    switch value {
    case .bool(let value): self.init(.bool, low: value ? 1 : 0)
    case .signed(let value, let width):
      guard let tag = ArchiveTag(.signed, bitWidth: width) else { return nil }
      self.init(signed: value, tag)
    case .unsigned(let value, let width):
      guard let tag = ArchiveTag(.unsigned, bitWidth: width) else { return nil }
      self.init(unsigned: value, tag)
    case .int128(let value): self.init(wide: UInt128(truncatingIfNeeded: value), .int128)
    case .uint128(let value): self.init(wide: value, .uint128)
    case .float16(let bits): self.init(.float16, low: UInt64(bits))
    case .float(let value): self.init(.float, low: UInt64(value.bitPattern))
    case .double(let value): self.init(.double, low: value.bitPattern)
    case .date(let value): self.init(.date, low: value.secondsSinceReferenceDate.bitPattern)
    case .uuid(let value): self.init(.uuid, low: value.low, high: value.high)
    case .unknown(let tag, let bytes): self.init(tag, bytes)
    case .null, .string, .bytes, .url, .array, .dictionary, .set, .record, .enumeration, .reference,
      .conditionalReference:
      return nil
    }
  }
}

extension StoredScalar {
  /// The bits of a value of an unknown kind, nil unless there are as many as the tag says.
  @inline(never)
  private init?(_ tag: ArchiveTag, _ bytes: [UInt8]) {
    guard tag.kind == nil, tag.isFixed, bytes.count == tag.byteCount, !tag.isBit || bytes[0] <= 1
    else { return nil }
    let padded = bytes + Array(repeating: 0, count: 16 - bytes.count)
    guard let low = padded.load(UInt64.self, at: 0), let high = padded.load(UInt64.self, at: 8)
    else { return nil }
    self.init(tag, low: low, high: high)
  }
}
