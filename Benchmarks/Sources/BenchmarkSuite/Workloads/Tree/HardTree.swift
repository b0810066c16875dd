import BenchmarkHarness

/// The archive of a tree of views with identity, by code for this layout only.
enum HardTree {
  private static let frame = 0
  private static let view = 1
  private static let shapes = [
    HardShape(
      slots: [
        .init("x", .double), .init("y", .double), .init("width", .double),
        .init("height", .double),
      ]),
    HardShape(
      typeName: "View",
      slots: [
        .init("identifier", .string), .init("frame", cell: frame), .init("background", .string),
        .init("alpha", .double), .init("isHidden", .bool), .init("tag", .int64),
        .init("text", .string, isNullable: true), .init("children", .array),
      ]),
  ]

  // The slots of a body: a frame inline, a number, bits, and another number.
  private static let alpha = 32
  private static let bits = 40
  private static let tag = 41
  private static let slots = 49

  static func encode(_ root: ViewObject) -> [UInt8] {
    var writer = HardArchiveWriter(shapes: shapes, objectShape: view, capacity: 1 << 16)
    var objects = [root]
    var numbers = ObjectNumbers()
    _ = numbers.number(of: root, next: 1)
    var children: [UInt32] = []
    var index = 0
    while index < objects.count {
      let view = objects[index]
      index += 1
      children.removeAll(keepingCapacity: true)
      for child in view.children {
        let next = UInt32(objects.count + 1)
        let number = numbers.number(of: child, next: next)
        if number == next { objects.append(child) }
        children.append(number)
      }
      _ = writer.tables.number(of: frame)
      write(view, children, to: &writer)
    }
    return writer.finish()
  }

  @inline(__always)
  private static func write(
    _ view: ViewObject, _ children: [UInt32], to writer: inout HardArchiveWriter
  ) {
    let width = HardWidth.inside(Int(children.max() ?? 0))
    let bytes =
      view.identifier.utf8.count + view.background.utf8.count + (view.text?.utf8.count ?? 0)
      + (children.isEmpty ? 0 : 1 + children.count * width)
    var body = HardBody(&writer.output, slots: slots, payloads: 4, of: bytes)
    writer.output.store(view.frame.x, at: body.start)
    writer.output.store(view.frame.y, at: body.start + 8)
    writer.output.store(view.frame.width, at: body.start + 16)
    writer.output.store(view.frame.height, at: body.start + 24)
    writer.output.store(view.alpha, at: body.start + alpha)
    let flags: UInt8 = (view.isHidden ? 1 : 0) | (view.text == nil ? 2 : 0)
    writer.output.store(flags, at: body.start + bits)
    writer.output.store(view.tag, at: body.start + tag)
    writer.output.append(view.identifier)
    body.end(&writer.output)
    writer.output.append(view.background)
    body.end(&writer.output)
    if let text = view.text { writer.output.append(text) }
    body.end(&writer.output)
    if !children.isEmpty {
      let tag: HardTag =
        width == 1 ? .byteReference : width == 2 ? .shortReference : .reference
      writer.output.append(tag.rawValue)
      var place = writer.output.count
      writer.output.appendUninitialized(children.count * width)
      for child in children {
        writer.output.store(end: Int(child), width: width, at: place)
        place += width
      }
    }
    writer.endObject(at: body.start)
  }

  static func decode(_ bytes: [UInt8]) throws -> ViewObject {
    try unsafe bytes.withUnsafeBytes { buffer in
      let input = unsafe RawInput(buffer: buffer)
      let reader = try HardArchiveReader(input, shapes: shapes, objectShape: view)
      var views: [ViewObject] = []
      var children: [Range<Int>] = []
      views.reserveCapacity(reader.objectCount)
      children.reserveCapacity(reader.objectCount)
      try reader.forEachBody { body in
        let slots = try input.slots(of: body, count: slots)
        var payloads = try HardPayloads(input, body, slots: Self.slots, count: 4)
        let identifier = try payloads.text()
        let background = try payloads.text()
        let text = try payloads.next()
        let flags = slots.load(UInt8.self, at: bits)
        views.append(
          ViewObject(
            identifier: identifier,
            frame: ViewRecord.Frame(
              x: slots.load(at: 0), y: slots.load(at: 8), width: slots.load(at: 16),
              height: slots.load(at: 24)),
            background: background, alpha: slots.load(at: alpha), isHidden: flags & 1 != 0,
            tag: slots.load(at: tag), text: flags & 2 != 0 ? nil : try input.text(in: text)))
        children.append(payloads.last)
      }
      for index in views.indices where !children[index].isEmpty {
        views[index].children = try references(input, children[index], views)
      }
      return views[0]
    }
  }

  private static func references(
    _ input: RawInput, _ range: Range<Int>, _ views: [ViewObject]
  ) throws -> [ViewObject] {
    let width: Int
    switch HardTag(rawValue: try input.load(UInt8.self, at: range.lowerBound)) {
    case .byteReference: width = 1
    case .shortReference: width = 2
    case .reference: width = 4
    default: throw RawInput.damaged
    }
    let count = (range.count - 1) / width
    try check(count * width == range.count - 1, "References are cut short.")
    var children: [ViewObject] = []
    children.reserveCapacity(count)
    for index in 0..<count {
      let number = try input.end(at: range.lowerBound + 1 + index * width, width: width)
      guard number > 0, number <= views.count else { throw RawInput.damaged }
      children.append(views[number - 1])
    }
    return children
  }
}

/// The numbers of objects by their identity, in a hash table with linear probing.
private struct ObjectNumbers {
  private var places: [(object: UInt, number: UInt32)] = Array(repeating: (0, 0), count: 1024)
  private var count = 0

  /// The number of an object; a new object gets the next number.
  @inline(__always)
  mutating func number(of object: ViewObject, next: UInt32) -> UInt32 {
    if 2 * count > places.count { grow() }
    let key = UInt(bitPattern: ObjectIdentifier(object))
    let place = place(of: key)
    if places[place].object == key { return places[place].number }
    places[place] = (key, next)
    count += 1
    return next
  }

  @inline(__always)
  private func place(of key: UInt) -> Int {
    let mask = UInt(places.count - 1)
    var place = key &* 0x9E37_79B9_7F4A_7C15 >> 32 & mask
    while places[Int(place)].object != 0, places[Int(place)].object != key {
      place = (place + 1) & mask
    }
    return Int(place)
  }

  private mutating func grow() {
    let old = places
    places = Array(repeating: (0, 0), count: 4 * old.count)
    for row in old where row.object != 0 { places[place(of: row.object)] = row }
  }
}
