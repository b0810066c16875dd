/// What has to be looked at in every record of a shape when an archive is verified, found once for each
/// shape: numbers may be any bits, so most slots need no look.
struct ShapeLooks {
  /// One thing to look at.
  struct Look: BitwiseCopyable {
    enum Kind: UInt8 {
      /// Bits that no value has.
      case unusedBits
      /// The slot or the payload of a nil, of a value of which nothing else can be wrong.
      case emptyNil
      /// Payloads of text, which lie one after the other.
      case texts
      /// A record of a fixed width.
      case cell
      /// Another value that takes the same number of bytes in every record.
      case fixed
      /// An array, mostly of numbers.
      case array
      /// A value that can contain others.
      case container
    }

    var kind: Kind
    /// The bits of unused bits.
    var mask: UInt8 = 0
    /// The slot, of texts the first.
    var slot: Int32
    /// The last slot of texts, and where unused bits are, counted from the start of the body.
    var last: Int32 = 0
  }

  private var looks: [Look] = []
  /// The looks of each shape: those of its first record, and those of all later ones.
  private var first: [Range<Int32>?] = []
  private var later: [Range<Int32>?] = []

  /// A look by its number.
  subscript(index: Int) -> Look {
    @inline(__always) get { looks[index] }
  }

  /// The numbers of the looks at a record.
  ///
  /// - Parameters:
  ///   - number: The number of the shape.
  ///   - shapes: The shapes.
  ///   - isFirst: Whether the record is the first of its shape, in which all records in slots are gone
  ///     through: their shapes may be new as well.
  /// - Returns: The numbers.
  @inline(__always)
  mutating func range(
    _ number: Int, _ shapes: RawSlice<ShapeRow>, isFirst: Bool
  ) -> Range<Int32> {
    if !isFirst, number < later.count, let known = later[number] { return known }
    return find(number, shapes, isFirst: isFirst)
  }

  @inline(never)
  private mutating func find(
    _ number: Int, _ shapes: RawSlice<ShapeRow>, isFirst: Bool
  ) -> Range<Int32> {
    while later.count <= number {
      first.append(nil)
      later.append(nil)
    }
    if isFirst, let known = first[number] { return known }
    let shape = shapes.reference(number).row
    // Those of cells come before: there are at most eight levels of them.
    for index in 0..<shape.slots.count where shape.slots[index].cell >= 0 {
      _ = range(Int(shape.slots[index].cell), shapes, isFirst: false)
    }
    let start = looks.count
    add(shape, shapes, isFirst: isFirst)
    let range = Int32(start)..<Int32(looks.count)
    if isFirst { first[number] = range } else { later[number] = range }
    return range
  }

  private mutating func add(
    _ shape: ShapeRow, _ shapes: RawSlice<ShapeRow>, isFirst: Bool
  ) {
    if let unused = shape.layout.unusedBits {
      looks.append(
        Look(kind: .unusedBits, mask: unused.mask, slot: -1, last: Int32(unused.offset)))
    }
    var texts: Int?
    for index in 0..<shape.slots.count {
      let slot = shape.slots[index]
      let number = Int32(index)
      let isNullable = slot.traits & SlotRow.nullable != 0
      if slot.cell >= 0 {
        if !isFirst, range(Int(slot.cell), shapes, isFirst: false).isEmpty { continue }
        looks.append(Look(kind: .cell, slot: number))
      } else if slot.tag == .string || slot.tag == .url {
        // Payloads of text that lie side by side are looked at together.
        if let texts {
          looks[texts].last = number
        } else {
          texts = looks.count
          looks.append(Look(kind: .texts, slot: number, last: number))
        }
        if isNullable { looks.append(Look(kind: .emptyNil, slot: number)) }
      } else if slot.tag == .bytes || slot.tag.hasFreeBits {
        if slot.isPayload { texts = nil }
        if isNullable { looks.append(Look(kind: .emptyNil, slot: number)) }
      } else if !slot.tag.isVariable {
        if slot.tag == .bool, !isNullable { continue }
        looks.append(Look(kind: .fixed, slot: number))
      } else {
        texts = nil
        looks.append(Look(kind: slot.tag == .array ? .array : .container, slot: number))
      }
    }
  }
}
