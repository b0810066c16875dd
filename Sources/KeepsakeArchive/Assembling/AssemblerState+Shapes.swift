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
    renumber(value.tag, value.payload, &numbering)
    encoder.frame = frame
  }

  /// The numbers given so far, and where payloads lie in the records of each shape.
  private struct ShapeNumbering {
    /// Where in the plan records of the old numbers end.
    let nodes: [Int]
    var tags: [Int: [ArchiveTag]] = [:]

    init(_ nodes: [Int]) {
      self.nodes = nodes
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
    guard let node = oldNode(at: start, numbering) else { return }
    renumber(body: start + 1..<range.upperBound, of: node, &numbering)
    store(numberOf: node, at: start)
  }

  /// The step at which records end of the shape whose old number lies at an offset; nil for one that was
  /// there before the value.
  private func oldNode(at offset: Int, _ numbering: ShapeNumbering) -> Int? {
    let shape = Int(encoder.bytes.load(UInt8.self, at: offset)) - firstShape
    return shape < 0 ? nil : numbering.nodes[shape]
  }

  /// Gives numbers to the shapes of what a body contains, and then to its own.
  private mutating func renumber(
    body: Range<Int>, of node: Int, _ numbering: inout ShapeNumbering
  ) {
    let shape = Int(encoder.plan.nodes[node].shape)
    let tags = numbering.tags[node] ?? variableTags(of: node)
    numbering.tags[node] = tags
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
    if shape >= 0 { return }
    encoder.frame.node = node
    _ = encoder.makeShape()
  }

  private mutating func store(numberOf node: Int, at offset: Int) {
    encoder.bytes.store(
      UInt8(truncatingIfNeeded: encoder.plan.nodes[node].shape), at: offset)
  }

  private func variableTags(of node: Int) -> [ArchiveTag] {
    encoder.plan.path(to: node).map(\.tag).filter(\.isVariable)
  }

  private mutating func renumber(elementsIn range: Range<Int>, _ numbering: inout ShapeNumbering) {
    let start = range.lowerBound
    let form = encoder.bytes.load(UInt8.self, at: start)
    let tag = ArchiveTag(rawValue: form)
    guard form == ArrayForm.records || tag == .any || tag.isContainer else { return }
    // Records of one shape have its number once.
    let shared =
      form == ArrayForm.records || tag == .record ? oldNode(at: start + 1, numbering) : nil
    if let shared, form == ArrayForm.records {
      let first = start + 2
      let length = Int(encoder.plan.nodes[shared].byteCount)
      renumber(body: first..<first + length, of: shared, &numbering)
      return store(numberOf: shared, at: start + 1)
    }
    let width = EndWidth.inside(range.count)
    let head = start + (shared == nil ? 1 : 2)
    let count = encoder.bytes.number(at: head, width: width)
    let tags = head + 1 << Int(width)
    let ends = tag == .any ? tags + count : tags
    let tail = ends + (count - 1) << Int(width)
    var last = tail
    for index in 0..<count {
      let first = last
      last =
        index + 1 == count
        ? range.upperBound
        : tail + encoder.bytes.number(at: ends + index << Int(width), width: width)
      if let shared {
        renumber(body: first..<last, of: shared, &numbering)
        continue
      }
      let element =
        tag == .any ? ArchiveTag(rawValue: encoder.bytes.load(UInt8.self, at: tags + index)) : tag
      renumber(element, first..<last, &numbering)
    }
    if let shared { store(numberOf: shared, at: start + 1) }
  }
}
