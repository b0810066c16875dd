// How arrays lie among the bytes (Spec/archive.md, 5.5). Numbers are aligned: so many zero bytes come
// before them that they are, and so many behind them that all are as many wherever the array lies.

extension ByteBuffer {
  /// Appends the header of an array, and the zero bytes before its slots.
  mutating func beginArray(of tag: ArchiveTag, count length: Int) {
    let slots = count + FormatConstants.arrayHeaderByteCount
    let before = -slots & (tag.alignment - 1)
    append(ByteBuffer.arrayHeader(of: tag, count: length, before: before))
    appendZeros(before)
  }

  /// Appends the zero bytes that an array of numbers ends with.
  mutating func endArray(at start: Int) {
    let (tag, _, before) = arrayHeader(at: start)
    appendZeros(tag.alignment - 1 - before)
  }

  /// The first eight bytes of an array.
  static func arrayHeader(of tag: ArchiveTag, count: Int, before: Int = 0) -> UInt64 {
    UInt64(tag.rawValue) | UInt64(before) << 16 | UInt64(UInt32(truncatingIfNeeded: count)) << 32
  }

  /// What the header of an array says that was appended.
  func arrayHeader(at start: Int) -> (tag: ArchiveTag, isNullable: Bool, before: Int) {
    let head = load(UInt32.self, at: start)
    return (
      ArchiveTag(rawValue: UInt8(truncatingIfNeeded: head)), head >> 8 & 1 != 0,
      Int(head >> 16 & 0xFF)
    )
  }

  /// Appends packed scalars of one tag as an array.
  mutating func append<Scalar: BitwiseCopyable>(array scalars: [Scalar], of tag: ArchiveTag) {
    reserve(
      FormatConstants.arrayHeaderByteCount + scalars.count * MemoryLayout<Scalar>.stride + 8)
    let start = count
    beginArray(of: tag, count: scalars.count)
    append(scalars: scalars)
    endArray(at: start)
  }

  /// Aligns the slots of an array of numbers after it was moved.
  mutating func align(arrayAt start: Int) {
    let (tag, isNullable, before) = arrayHeader(at: start)
    let first = start + FormatConstants.arrayHeaderByteCount
    let wanted = -first & (tag.alignment - 1)
    if wanted == before { return }
    let elements = Int(load(UInt32.self, at: start + 4))
    let length = elements * tag.byteCount + (isNullable ? (elements + 7) / 8 : 0)
    shift(first + before..<first + before + length, to: first + wanted)
    clear(first..<first + wanted)
    clear(first + wanted + length..<first + length + tag.alignment - 1)
    store(UInt8(wanted), at: start + 2)
  }

  /// The end of a payload of a record.
  func end(_ index: Int, width: UInt32, at ends: Int) -> Int {
    let offset = ends + index << Int(width)
    return switch width {
    case 0: Int(load(UInt8.self, at: offset))
    case 1: Int(load(UInt16.self, at: offset))
    default: Int(load(UInt32.self, at: offset))
    }
  }
}
