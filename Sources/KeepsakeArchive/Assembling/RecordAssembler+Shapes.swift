// Shapes are numbered by their first use among the bytes (Spec/archive.md, 4). Records that were reordered or taken
// back may have been completed in another order. Their shapes are then numbered again.

extension RecordAssembler {
  /// Numbers the shapes again, in the order of the bytes of the whole value, when their order has changed.
  mutating func numberShapes(of value: StagedEntry) {
    // A record that has failed will not be written, and some of its parts have no shape.
    guard areShapesOutOfOrder, !encoder.hasFailed, encoder.shapes.mark != nil,
      encoder.canCountEnds(from: encoder.frame.start)
    else { return }
    if encoder.shapes.tables.counts.shapes > Int(ShapeNumber.two) {
      // A new number may have another width. The finished archive is then written again instead.
      encoder.hasShapesOutOfOrder = true
      return
    }
    let frame = encoder.frame
    var numbering = ShapeNumbering(encoder.shapes.steps, encoder.plan)
    writer.encoder.shapes.renumber(&writer.encoder.plan)
    renumber(value.tag, value.payload, &numbering)
    encoder.frame = frame
  }

  /// A value of a record that may contain records.
  private struct Container {
    var tag: ArchiveTag
    /// The last step of the record that is stored in the slot; nil for any other value.
    var inlineStep: Int?
    /// The index of the value among the payloads.
    var payload: Int
  }

  /// The old numbers of shapes, and the containers in the records of each shape.
  private struct ShapeNumbering {
    /// The last step of the records of each old number.
    let nodes: [Int]
    /// The shape of each old number.
    let shapes: [ElementShape]
    /// The containers in records, by the last step of the records; nil until they are looked up.
    var containers: [[Container]?]

    init(_ nodes: [Int], _ plan: borrowing EncodingPlan) {
      self.nodes = nodes
      var shapes: [ElementShape] = []
      for node in nodes {
        let step = plan.steps[node]
        shapes.append(ElementShape(fixedByteCount: step.isCell ? Int(step.byteCount) : nil))
      }
      self.shapes = shapes
      containers = Array(repeating: nil, count: plan.steps.count)
    }
  }

  /// Gives numbers to the shapes in a value in the order in which its records end.
  private mutating func renumber(
    _ tag: ArchiveTag, _ range: Range<Int>, _ numbering: inout ShapeNumbering
  ) {
    if range.isEmpty { return }
    if tag == .array { return renumber(elementsIn: range, &numbering) }
    if tag == .dictionary {
      let view = encoder.bytes.view
      let keys = try? SortedElements.keys(of: range) { view.end(0, endsAt: $0, width: $1) }
      return renumber(
        elementsIn: (keys ?? range).upperBound..<range.upperBound, &numbering)
    }
    guard tag == .record else { return }
    let start = range.lowerBound
    guard let step = oldNode(at: start, numbering) else { return }
    renumber(body: start + 1..<range.upperBound, of: step, &numbering)
    store(numberOf: step, at: start)
  }

  /// The last step of records with the shape whose old number is at an offset; nil for a shape made before the value.
  private mutating func oldNode(at offset: Int, _ numbering: ShapeNumbering) -> Int? {
    let shape = Int(encoder.bytes.load(UInt8.self, at: offset)) - firstShape
    return shape < 0 ? nil : numbering.nodes[shape]
  }

  /// Gives numbers to the shapes of the records in a body, and then to its own.
  private mutating func renumber(
    body: Range<Int>, of step: Int, _ numbering: inout ShapeNumbering
  ) {
    let containers = numbering.containers[step] ?? containers(of: step)
    if numbering.containers[step] == nil { numbering.containers[step] = containers }
    let count = Int(encoder.plan.steps[step].variableCount)
    let width = EndWidth.inside(body.count)
    let ends = body.lowerBound + Int(encoder.plan.steps[step].byteCount)
    let tail = ends + encoder.plan.steps[step].endCount << Int(width)
    let view = encoder.bytes.view
    for container in containers {
      if let inlineStep = container.inlineStep {
        // The bytes in the slot contain no numbers of shapes.
        numberInlineRecord(inlineStep, &numbering)
      } else {
        let index = container.payload
        let first = index == 0 ? tail : tail + view.end(index - 1, endsAt: ends, width: width)
        let last =
          index + 1 == count ? body.upperBound : tail + view.end(index, endsAt: ends, width: width)
        renumber(container.tag, first..<last, &numbering)
      }
    }
    numberShape(of: step)
  }

  /// Gives numbers to the shapes of the records in the slots of a record, and then to its own.
  private mutating func numberInlineRecord(_ last: Int, _ numbering: inout ShapeNumbering) {
    // The records in its slots got their numbers before it.
    if !encoder.plan.steps[last].shape.isNone { return }
    for step in encoder.plan.steps(to: last) {
      let signature = encoder.plan.steps[step].signature
      if signature.isInline {
        numberInlineRecord(encoder.plan.lastStep(ofInline: signature.inlineRecord), &numbering)
      }
    }
    numberShape(of: last)
  }

  private mutating func numberShape(of step: Int) {
    if !encoder.plan.steps[step].shape.isNone { return }
    encoder.frame.take(step, next: 0)
    _ = encoder.makeShape()
  }

  private mutating func store(numberOf step: Int, at offset: Int) {
    // There are no more than 254 shapes (`numberShapes`); a record that fails now has no shape.
    let shape = encoder.plan.steps[step].shape
    if !shape.isNone { encoder.bytes.store(UInt8(shape.number), at: offset) }
  }

  private mutating func containers(of step: Int) -> [Container] {
    var containers: [Container] = []
    var payload = 0
    for step in encoder.plan.steps(to: step) {
      let signature = encoder.plan.steps[step].signature
      if signature.isInline || signature.tag.isContainer {
        let inlineStep =
          signature.isInline ? encoder.plan.lastStep(ofInline: signature.inlineRecord) : nil
        containers.append(
          Container(tag: signature.tag, inlineStep: inlineStep, payload: payload))
      }
      if signature.isVariable { payload += 1 }
    }
    return containers
  }

  private mutating func renumber(elementsIn range: Range<Int>, _ numbering: inout ShapeNumbering) {
    let view = encoder.bytes.view
    let (shapes, firstShape) = (numbering.shapes, firstShape)
    // An array whose records have a shape from before the value needs no new numbers.
    let stored = try? StoredElements(head: view, range) { number in
      number < firstShape ? nil : shapes[number - firstShape]
    }
    guard let elements = stored, !elements.areRows,
      elements.tag == .any || elements.tag.isContainer
    else { return }
    guard elements.content.isStated else {
      for index in 0..<elements.count {
        renumber(elements.tag(of: index, view), elements.range(of: index, view), &numbering)
      }
      return
    }
    // Records of one shape share one stored number. All cells have the same layout, so the first one is enough.
    let step = numbering.nodes[elements.content.shape - firstShape]
    for index in 0..<(elements.areCells ? 1 : elements.count) {
      renumber(body: elements.range(of: index, view), of: step, &numbering)
    }
    store(numberOf: step, at: range.lowerBound + 1)
  }
}
