// Shapes are numbered by their first use among the bytes (Spec/archive.md, 4.4), which is known when
// the bytes are in their order.

extension AssemblerState {
  /// Puts the shapes in the tables, for a value that is complete.
  mutating func numberShapes(of value: StagedEntry) {
    let frame = encoder.frame
    for node in shapes { encoder.plan.nodes[node].shape = -1 }
    if areShapesOutOfOrder {
      var numbering = ShapeNumbering(count: shapes.count)
      renumber(value.tag, value.start..<value.start + value.byteCount, &numbering)
    } else {
      // Each got the number that it has among the bytes already.
      for node in shapes { _ = makeShape(of: node) }
    }
    encoder.frame = frame
  }

  private mutating func makeShape(of node: Int) -> Int32 {
    encoder.frame.node = node
    return encoder.makeShape()
  }

  /// The numbers given so far, and where payloads lie in the records of each shape.
  private struct ShapeNumbering {
    var numbers: [Int32]
    var slots: [[(offset: Int, tag: ArchiveTag)]?]

    init(count: Int) {
      numbers = Array(repeating: -1, count: count)
      slots = Array(repeating: nil, count: count)
    }
  }

  /// Gives numbers to the shapes in a value in the order in which its records end.
  private mutating func renumber(
    _ tag: ArchiveTag, _ range: Range<Int>, _ numbering: inout ShapeNumbering
  ) {
    if range.isEmpty { return }
    if tag == .array { return renumber(elementsIn: range, &numbering) }
    guard tag == .record else { return }
    let start = range.lowerBound
    let shape = Int(encoder.bytes.load(Int32.self, at: start)) - Int(firstShape)
    // A shape of the archive's own record.
    if shape < 0 { return }
    let slots = numbering.slots[shape] ?? variableSlots(of: shapes[shape])
    numbering.slots[shape] = slots
    var last = start + Int(encoder.plan.nodes[shapes[shape]].tailStart)
    let tail = last
    for slot in slots {
      if slot.tag.isContainer { last = tail + (last - tail + 7) & ~7 }
      let end = tail + Int(encoder.bytes.load(UInt32.self, at: start + slot.offset))
      renumber(slot.tag, last..<end, &numbering)
      last = end
    }
    if numbering.numbers[shape] < 0 { numbering.numbers[shape] = makeShape(of: shapes[shape]) }
    encoder.bytes.store(numbering.numbers[shape], at: start)
  }

  private func variableSlots(of node: Int) -> [(offset: Int, tag: ArchiveTag)] {
    var layout = RecordLayout()
    var slots: [(offset: Int, tag: ArchiveTag)] = []
    for slot in encoder.plan.path(to: node) {
      let placement = layout.add(slot.tag, isNullable: slot.isNullable)
      if slot.tag.isVariable { slots.append((Int(placement.offset), slot.tag)) }
    }
    return slots
  }

  private mutating func renumber(elementsIn range: Range<Int>, _ numbering: inout ShapeNumbering) {
    let start = range.lowerBound
    let head = encoder.bytes.load(UInt32.self, at: start)
    let count = Int(encoder.bytes.load(UInt32.self, at: start + 4))
    let tag = ArchiveTag(rawValue: UInt8(truncatingIfNeeded: head))
    guard tag == .any || tag.isContainer else { return }
    let slots = start + 8 + (tag == .any ? count : 0)
    var tail = slots + count * 4
    if head >> 8 != 0 { tail += (count + 7) / 8 }
    tail = (tail + 7) & ~7
    var last = tail
    for index in 0..<count {
      let element =
        tag == .any
        ? ArchiveTag(rawValue: encoder.bytes.load(UInt8.self, at: start + 8 + index)) : tag
      if element.isContainer { last = tail + (last - tail + 7) & ~7 }
      let end = tail + Int(encoder.bytes.load(UInt32.self, at: slots + index * 4))
      renumber(element, last..<end, &numbering)
      last = end
    }
  }
}
