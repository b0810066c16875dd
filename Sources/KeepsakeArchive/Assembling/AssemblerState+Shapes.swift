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
    var tags: [[ArchiveTag]?]

    init(count: Int) {
      numbers = Array(repeating: -1, count: count)
      tags = Array(repeating: nil, count: count)
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
    let head = RecordHead(encoder.bytes.load(UInt32.self, at: start))
    let shape = head.shape - Int(firstShape)
    // A shape of the archive's own record.
    if shape < 0 { return }
    let node = shapes[shape]
    let tags = numbering.tags[shape] ?? variableTags(of: node)
    numbering.tags[shape] = tags
    let ends = start + Int(encoder.plan.nodes[node].byteCount)
    let tail = ends + tags.count << Int(head.endWidth)
    var last = tail
    for (index, tag) in tags.enumerated() {
      let first = last
      last = tail + encoder.bytes.end(index, width: head.endWidth, at: ends)
      renumber(tag, first..<last, &numbering)
    }
    if numbering.numbers[shape] < 0 { numbering.numbers[shape] = makeShape(of: node) }
    encoder.bytes.store(
      RecordHead(shape: numbering.numbers[shape], endWidth: head.endWidth).word, at: start)
  }

  private func variableTags(of node: Int) -> [ArchiveTag] {
    encoder.plan.path(to: node).map(\.tag).filter(\.isVariable)
  }

  private mutating func renumber(elementsIn range: Range<Int>, _ numbering: inout ShapeNumbering) {
    let start = range.lowerBound
    let head = encoder.bytes.arrayHead(at: start)
    let (tag, count) = (head.tag, head.count)
    guard tag == .any || tag.isContainer else { return }
    let tags = start + ArrayHead.byteCount
    let ends = tag == .any ? tags + count : tags
    let tail = ends + count * ArrayHead.endByteCount + head.nilBitsByteCount
    var last = tail
    for index in 0..<count {
      let first = last
      last = tail + Int(encoder.bytes.load(UInt32.self, at: ends + index * ArrayHead.endByteCount))
      let element =
        tag == .any ? ArchiveTag(rawValue: encoder.bytes.load(UInt8.self, at: tags + index)) : tag
      renumber(element, first..<last, &numbering)
    }
  }
}
