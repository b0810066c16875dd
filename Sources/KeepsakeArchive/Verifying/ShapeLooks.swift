/// Lists what has to be checked in every record of a shape when an archive is verified.
///
/// The list is made once for each shape: numbers may be any bits, so most slots are not in it.
struct ShapeLooks {
  /// One thing to check.
  struct Look: BitwiseCopyable {
    enum Kind: UInt8 {
      /// Payloads of text that are stored one after the other.
      case texts
      /// A record of a fixed width.
      case cell
      /// Another value whose bits have rules, or that can contain others.
      case other
    }

    var kind: Kind
    /// The slot; the first one where there are several.
    var slot: Int32
    /// The last slot, where there are several.
    var last: Int32 = 0
  }

  private var looks: [Look] = []
  /// The numbers of the looks at records of each shape, as far as they were made.
  private var ranges: [Range<Int32>?] = []

  subscript(index: Int) -> Look {
    @inline(__always) get { looks[index] }
  }

  /// True when there is nothing to look at but texts.
  func areTexts(_ range: Range<Int32>) -> Bool {
    range.allSatisfy { looks[Int($0)].kind == .texts }
  }

  /// The numbers of the looks at a record of a shape.
  @inline(__always)
  mutating func range(_ number: Int, _ shapes: RawSlice<ShapeRow>) -> Range<Int32> {
    if number < ranges.count, let known = ranges[number] { return known }
    return make(number, shapes)
  }

  @inline(never)
  private mutating func make(_ number: Int, _ shapes: RawSlice<ShapeRow>) -> Range<Int32> {
    while ranges.count <= number { ranges.append(nil) }
    let shape = shapes.reference(number).row
    // The looks at inline records come first: there are at most eight levels of them.
    for index in 0..<shape.slots.count where !shape.slots[index].cell.isNone {
      _ = range(shape.slots[index].cell.number, shapes)
    }
    let start = looks.count
    add(shape, shapes)
    let range = Int32(start)..<Int32(looks.count)
    ranges[number] = range
    return range
  }

  private mutating func add(_ shape: ShapeRow, _ shapes: RawSlice<ShapeRow>) {
    var texts: Int?
    for index in 0..<shape.slots.count {
      let slot = shape.slots[index]
      let number = Int32(index)
      if !slot.cell.isNone {
        if range(slot.cell.number, shapes).isEmpty { continue }
        looks.append(Look(kind: .cell, slot: number))
      } else if slot.tag == .string || slot.tag == .url {
        // Payloads of text that are side by side are checked together.
        if let texts {
          looks[texts].last = number
        } else {
          texts = looks.count
          looks.append(Look(kind: .texts, slot: number, last: number))
        }
      } else if slot.tag == .bytes || slot.tag.hasFreeBits || slot.tag == .bool {
        if slot.isPayload { texts = nil }
      } else {
        if slot.isPayload { texts = nil }
        looks.append(Look(kind: .other, slot: number))
      }
    }
  }
}
