/// One value of a container that is not complete yet.
struct StagedEntry: BitwiseCopyable {
  /// `null` for a nil.
  var tag: ArchiveTag
  /// The bits of a value of a width of its own; of a variable one where its payload begins.
  var low: UInt64
  /// The upper bits of a value of 16 bytes; of a variable one how long its payload is.
  var high: UInt64

  static var null: StagedEntry { StagedEntry(tag: .null, low: 0, high: 0) }

  static func payload(_ tag: ArchiveTag, _ range: Range<Int>) -> StagedEntry {
    StagedEntry(
      tag: tag, low: UInt64(bitPattern: Int64(range.lowerBound)),
      high: UInt64(bitPattern: Int64(range.count)))
  }

  var start: Int { Int(truncatingIfNeeded: low) }
  var byteCount: Int { Int(truncatingIfNeeded: high) }
}

extension ByteBuffer {
  /// Overwrites a slot with a value of a width of its own.
  @inline(__always)
  mutating func store(_ entry: StagedEntry, at offset: Int) {
    switch entry.tag.rawValue & 7 {
    case 1: store(UInt8(truncatingIfNeeded: entry.low), at: offset)
    case 2: store(UInt16(truncatingIfNeeded: entry.low), at: offset)
    case 3: store(UInt32(truncatingIfNeeded: entry.low), at: offset)
    case 4: store(entry.low, at: offset)
    case 5:
      store(entry.low, at: offset)
      store(entry.high, at: offset &+ 8)
    default: break
    }
  }

  /// Reads a value of a width of its own back.
  func entry(_ tag: ArchiveTag, at offset: Int) -> StagedEntry {
    var entry = StagedEntry(tag: tag, low: 0, high: 0)
    switch tag.rawValue & 7 {
    case 1: entry.low = UInt64(load(UInt8.self, at: offset))
    case 2: entry.low = UInt64(load(UInt16.self, at: offset))
    case 3: entry.low = UInt64(load(UInt32.self, at: offset))
    case 4: entry.low = load(UInt64.self, at: offset)
    case 5:
      entry.low = load(UInt64.self, at: offset)
      entry.high = load(UInt64.self, at: offset + 8)
    default: break
    }
    return entry
  }
}
