// Shapes are numbered by their first use among the bytes (Spec/archive.md, 4). Records whose values
// are put in another order, or taken back, may have been completed in another order than that.

extension AssemblerState {
  /// Numbers the shapes anew by the bytes of the whole value, where that is needed.
  mutating func numberShapes(of value: StagedEntry) {
    // A record that has failed is not going to be written, and some of its parts have no shape.
    guard areShapesOutOfOrder, !encoder.hasFailed, let mark = encoder.tablesMark,
      encoder.canCountEnds(from: encoder.frame.start)
    else { return }
    if encoder.tables.counts.shapes > Int(ShapeNumber.two) {
      // Other numbers may take other room: what was written is written again, value by value.
      encoder.hasShapesOutOfOrder = true
      return
    }
    let frame = encoder.frame
    var numbering = ShapeNumbering(
      encoder.shapedNodes, stepCount: encoder.plan.nodes.count)
    encoder.forgetShapes(since: mark)
    encoder.tablesMark = mark
    renumber(value.tag, value.payload, &numbering)
    encoder.frame = frame
  }

  /// A value of a record in which there may be others.
  private struct Container {
    var tag: ArchiveTag
    /// The step at which the record ends that lies in the slot, else 0.
    var cell: Int
    /// Which of the payloads it is.
    var payload: Int
  }

  /// The numbers given so far, and where payloads lie in the records of each shape.
  private struct ShapeNumbering {
    /// Where in the plan records of the old numbers end.
    let nodes: [Int]
    /// By the step at which the records end.
    var containers: [[Container]?]

    init(_ nodes: [Int], stepCount: Int) {
      self.nodes = nodes
      containers = Array(repeating: nil, count: stepCount)
    }
  }

  /// Gives numbers to the shapes in a value in the order in which its records end.
  private mutating func renumber(
    _ tag: ArchiveTag, _ range: Range<Int>, _ numbering: inout ShapeNumbering
  ) {
    if range.isEmpty { return }
    if tag == .array { return renumber(elementsIn: range, &numbering) }
    if tag == .dictionary {
      let width = EndWidth.inside(range.count)
      let keys = range.lowerBound + 1 << Int(width)
      let values = keys + encoder.bytes.number(at: range.lowerBound, width: width)
      return renumber(elementsIn: values..<range.upperBound, &numbering)
    }
    guard tag == .record else { return }
    let start = range.lowerBound
    guard let node = oldNode(at: start, numbering) else { return }
    renumber(body: start + 1..<range.upperBound, of: node, &numbering)
    store(numberOf: node, at: start)
  }

  /// The step at which records end of the shape whose old number lies at an offset; nil for one that was
  /// there before the value.
  private mutating func oldNode(at offset: Int, _ numbering: ShapeNumbering) -> Int? {
    let shape = Int(encoder.bytes.load(UInt8.self, at: offset)) - firstShape
    return shape < 0 ? nil : numbering.nodes[shape]
  }

  /// Gives numbers to the shapes of what a body contains, and then to its own.
  private mutating func renumber(
    body: Range<Int>, of node: Int, _ numbering: inout ShapeNumbering
  ) {
    let containers = numbering.containers[node] ?? containers(of: node)
    if numbering.containers[node] == nil { numbering.containers[node] = containers }
    let count = Int(encoder.plan.nodes[node].variableCount)
    let width = EndWidth.inside(body.count)
    let ends = body.lowerBound + Int(encoder.plan.nodes[node].byteCount)
    let tail = ends + encoder.plan.nodes[node].endCount << Int(width)
    for container in containers {
      if container.cell != 0 {
        // What lies in its slot contains no numbers of shapes.
        numberCell(container.cell, &numbering)
      } else {
        let index = container.payload
        let first =
          index == 0
          ? tail : tail + encoder.bytes.number(at: ends + (index - 1) << Int(width), width: width)
        let last =
          index + 1 == count
          ? body.upperBound
          : tail + encoder.bytes.number(at: ends + index << Int(width), width: width)
        renumber(container.tag, first..<last, &numbering)
      }
    }
    numberShape(of: node)
  }

  /// Gives numbers to the shapes of what lies in the slots of a record, and then to its own.
  private mutating func numberCell(_ node: Int, _ numbering: inout ShapeNumbering) {
    // What lies in its slots has had its numbers before it.
    if encoder.plan.nodes[node].shape >= 0 { return }
    for step in encoder.plan.path(to: node) where step.cell != 0 {
      numberCell(step.cell, &numbering)
    }
    numberShape(of: node)
  }

  private mutating func numberShape(of node: Int) {
    if encoder.plan.nodes[node].shape >= 0 { return }
    encoder.frame.take(node, next: 0)
    _ = encoder.makeShape()
  }

  private mutating func store(numberOf node: Int, at offset: Int) {
    // There are no more than 254 shapes (`numberShapes`); a record that fails now has none.
    let shape = encoder.plan.nodes[node].shape
    if shape >= 0 { encoder.bytes.store(UInt8(shape), at: offset) }
  }

  private mutating func containers(of node: Int) -> [Container] {
    var containers: [Container] = []
    var payload = 0
    for step in encoder.plan.path(to: node) {
      if step.cell != 0 || step.tag.isContainer {
        containers.append(Container(tag: step.tag, cell: step.cell, payload: payload))
      }
      if step.tag.isVariable { payload += 1 }
    }
    return containers
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
