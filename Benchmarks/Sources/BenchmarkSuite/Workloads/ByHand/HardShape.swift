/// The tags of values (Spec/archive.md, 5.1) that the archives by hand use.
enum HardTag: UInt8 {
  case bool = 0x0F
  case int8 = 0x11
  case int32 = 0x13
  case int64 = 0x14
  case uint8 = 0x19
  case uint16 = 0x1A
  case uint32 = 0x1B
  case uint64 = 0x1C
  case float = 0x23
  case double = 0x24
  case string = 0x2E
  case byteReference = 0x51
  case shortReference = 0x52
  case reference = 0x53
  case inline = 0x60
  case record = 0x66
  case array = 0x6E
}

/// The keys of the records of one type with the tags of their values (Spec/archive.md, 4.3), known in advance
/// to a program for this layout only.
struct HardShape {
  struct Slot {
    var name: String
    var tag: HardTag
    var isNullable = false
    /// The index of an inline record's shape in the list of all shapes; nil for another slot.
    var cell: Int?

    init(_ name: String, _ tag: HardTag, isNullable: Bool = false) {
      self.name = name
      self.tag = tag
      self.isNullable = isNullable
    }

    init(_ name: String, cell: Int) {
      self.init(name, .inline)
      self.cell = cell
    }
  }

  var typeName = ""
  var slots: [Slot]
}

/// The widths of counts and ends (Spec/archive.md, section 1).
enum HardWidth {
  /// The width of the numbers in a range of this length, in bytes.
  @inline(__always)
  static func inside(_ length: Int) -> Int { length < 1 << 8 ? 1 : length < 1 << 16 ? 2 : 4 }

  /// The width of each of `count` numbers in a container with `bytes` other bytes.
  @inline(__always)
  static func smallest(of count: Int, besides bytes: Int) -> Int {
    bytes + count < 1 << 8 ? 1 : bytes + 2 * count < 1 << 16 ? 2 : 4
  }

  /// The size of a body with these slots and payloads, in bytes.
  @inline(__always)
  static func body(slots: Int, payloads: Int, of bytes: Int) -> Int {
    let ends = payloads - 1
    return slots + bytes + ends * smallest(of: ends, besides: slots + bytes)
  }
}
