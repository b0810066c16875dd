// Shapes are numbered by their first use among the bytes (Spec/archive.md, 4.4). Records whose values
// are put in another order, or taken back, may have been completed in another order than that.

extension AssemblerState {
  /// Numbers the shapes anew by the bytes of the whole value, where that is needed.
  mutating func numberShapes(of value: StagedEntry) {
    guard areShapesOutOfOrder, let mark = encoder.tablesMark else { return }
    if encoder.tables.counts.shapes > Int(ShapeNumber.two) {
      // Other numbers may take other room: what was written is written again, value by value.
      encoder.hasShapesOutOfOrder = true
      return
    }
    let frame = encoder.frame
    var numbering = ShapeNumbering(encoder.shapedNodes)
    encoder.forgetShapes(since: mark)
    encoder.tablesMark = mark
    renumber(value.tag, value.start..<value.start + value.byteCount, &numbering)
    encoder.frame = frame
  }

  /// The numbers given so far, and where payloads lie in the records of each shape.
  private struct ShapeNumbering {
    /// Where in the plan records of the old numbers end.
    let nodes: [Int]
    var tags: [[ArchiveTag]?]

    init(_ nodes: [Int]) {
      self.nodes = nodes
      tags = Array(repeating: nil, count: nodes.count)
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
    let shape = Int(encoder.bytes.load(UInt8.self, at: start)) - firstShape
    // A shape of the archive's own record.
    if shape < 0 { return }
    let node = numbering.nodes[shape]
    let tags = numbering.tags[shape] ?? variableTags(of: node)
    numbering.tags[shape] = tags
    let body = start + 1..<range.upperBound
    let width = EndWidth.inside(body.count)
    let ends = body.lowerBound + Int(encoder.plan.nodes[node].byteCount)
    let tail = ends + encoder.plan.nodes[node].endCount << Int(width)
    var last = tail
    for (index, tag) in tags.enumerated() {
      let first = last
      last =
        index + 1 == tags.count
        ? body.upperBound
        : tail + encoder.bytes.number(at: ends + index << Int(width), width: width)
      renumber(tag, first..<last, &numbering)
    }
    encoder.frame.node = node
    let known = encoder.plan.nodes[node].shape
    let number = known >= 0 ? known : encoder.makeShape()
    encoder.bytes.store(UInt8(truncatingIfNeeded: number), at: start)
  }

  private func variableTags(of node: Int) -> [ArchiveTag] {
    encoder.plan.path(to: node).map(\.tag).filter(\.isVariable)
  }

  private mutating func renumber(elementsIn range: Range<Int>, _ numbering: inout ShapeNumbering) {
    let start = range.lowerBound
    let tag = ArchiveTag(rawValue: encoder.bytes.load(UInt8.self, at: start))
    guard tag == .any || tag.isContainer else { return }
    let width = EndWidth.inside(range.count)
    let count = encoder.bytes.number(at: start + 1, width: width)
    let tags = start + 1 + 1 << Int(width)
    let ends = tag == .any ? tags + count : tags
    let tail = ends + (count - 1) << Int(width)
    var last = tail
    for index in 0..<count {
      let first = last
      last =
        index + 1 == count
        ? range.upperBound
        : tail + encoder.bytes.number(at: ends + index << Int(width), width: width)
      let element =
        tag == .any ? ArchiveTag(rawValue: encoder.bytes.load(UInt8.self, at: tags + index)) : tag
      renumber(element, first..<last, &numbering)
    }
  }
}
