package import Keepsake

/// A run of bytes of an archive, with the name of its field.
package struct StoredField: Sendable {
  /// Offsets in the archive.
  package let range: Range<Int>
  /// The name as in Spec/archive.md, section 5, with the key or the index of the value; empty for bytes that belong to
  /// no field.
  package let name: String

  package init(range: Range<Int>, name: String) {
    self.range = range
    self.name = name
  }
}

extension ValuePlace {
  /// The bytes of the value as fields, without gaps and in their order, for tools that show them.
  ///
  /// Fields that start at `end` or later are left out. `spelling` returns the text for a key with its scopes, from
  /// the outermost. Throws when the value contradicts the format.
  package func storedFields(
    named name: String, before end: Int,
    spelling: @escaping (_ scopes: [String], _ key: ArchiveKey) -> String
  ) throws(ArchiveError) -> [StoredField] {
    var collector = FieldCollector(end: end, spelling: spelling)
    do throws(ArchiveError) {
      try collector.add(self, name)
    } catch {
      throw error.inObject(objectID)
    }
    return collector.complete(range)
  }
}

/// Collects the fields of a value and of the values in it.
private struct FieldCollector {
  let end: Int
  let spelling: (_ scopes: [String], _ key: ArchiveKey) -> String
  private var fields: [StoredField] = []

  init(end: Int, spelling: @escaping (_ scopes: [String], _ key: ArchiveKey) -> String) {
    self.end = end
    self.spelling = spelling
  }

  private mutating func put(_ range: Range<Int>, _ name: String) {
    if !range.isEmpty, range.lowerBound < end { fields.append(.init(range: range, name: name)) }
  }

  /// The fields in their order; bytes between them get an empty name.
  func complete(_ range: Range<Int>) -> [StoredField] {
    var all: [StoredField] = []
    var offset = range.lowerBound
    for field in fields.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where field.range.lowerBound >= offset {
      if field.range.lowerBound > offset {
        all.append(.init(range: offset..<field.range.lowerBound, name: ""))
      }
      all.append(field)
      offset = field.range.upperBound
    }
    let last = min(range.upperBound, end)
    if offset < last { all.append(.init(range: offset..<last, name: "")) }
    return all
  }

  /// Adds a value that is an object, a slot or a payload.
  mutating func add(_ place: ValuePlace, _ name: String) throws(ArchiveError) {
    if place.isObject {
      try addRecord(place, prefix: "")
    } else if place.tag.isBit {
      put(place.range, "bits with \(name): \(place.tag)")
    } else if place.tag.isVariable {
      try addPayload(place, name)
    } else {
      put(place.range, "slot \(name): \(place.tag)")
    }
  }

  /// Adds a body: its bits, slots, ends and payloads (Spec/archive.md, 5.2).
  private mutating func addRecord(_ place: ValuePlace, prefix: String) throws(ArchiveError) {
    let (part, record) = try place.openedRecord()
    put(place.range.lowerBound..<record.start, "\(prefix)number of the shape")
    let rows = record.shape.row.slots
    let slots = withExtendedLifetime(part) {
      (0..<rows.count).map { index in
        let row = rows[index]
        let key = spelling(
          place.archive.tables.scopeNames(row.scope), place.archive.tables.key(of: row))
        return Slot(
          row: row, name: prefix + key, range: record.range(row, part.view),
          isNil: row.isNil(part.view, recordAt: record.start))
      }
    }
    addBits(of: slots, recordAt: record.start)
    for slot in slots where !slot.row.isPayload && !slot.row.tag.isBit {
      if !slot.row.cell.isNone {
        try addRecord(slot.value(in: place), prefix: slot.name + ".")
      } else {
        put(slot.range, "slot \(slot.name): \(slot.row.tag)")
      }
    }
    let payloads = slots.filter(\.row.isPayload)
    let width = 1 << Int(EndWidth.inside(record.end - record.start))
    var offset = record.start + Int(record.shape.row.layout.byteCount)
    for slot in payloads.dropLast() {
      put(offset..<offset + width, "end of \(slot.name)")
      offset += width
    }
    for slot in payloads { try addPayload(slot.value(in: place), slot.name) }
  }

  private mutating func addBits(of slots: [Slot], recordAt start: Int) {
    var names: [Int: [String]] = [:]
    for slot in slots {
      if slot.row.placement.nilMask != 0 {
        let mayBeAbsent = slot.row.traits & SlotRow.omitsNil != 0
        names[start + Int(slot.row.placement.nilOffset), default: []]
          .append(slot.name + (mayBeAbsent ? " absent?" : " nil?"))
      }
      if slot.row.tag.isBit { names[slot.range.lowerBound, default: []].append(slot.name) }
    }
    for (offset, names) in names {
      put(offset..<offset + 1, "bits: \(names.joined(separator: ", "))")
    }
  }

  /// Adds a payload, without the end that locates it.
  private mutating func addPayload(_ place: ValuePlace, _ name: String) throws(ArchiveError) {
    guard !place.range.isEmpty, place.range.lowerBound < end else { return }
    if place.isNil { return put(place.range, "payload \(name): nil") }
    do throws(ArchiveError) {
      switch place.tag {
      case .record, .enumeration: try addRecord(place, prefix: name + ".")
      case .array, .set: try addElements(of: place, name)
      case .dictionary: try addEntries(of: place, name)
      default: put(place.range, "payload \(name): \(place.tag)")
      }
    } catch {
      try putWhole(place, name, because: error)
    }
  }

  /// Adds a value whose parts are not read: its form is unknown, or it is nested too deeply.
  private mutating func putWhole(
    _ place: ValuePlace, _ name: String, because error: ArchiveError
  ) throws(ArchiveError) {
    switch error.code {
    case .unsupportedFeature: put(place.range, "payload \(name): an unknown form")
    case .limitExceeded: put(place.range, "payload \(name): nested too deeply")
    default: throw error
    }
  }

  private mutating func addElements(of place: ValuePlace, _ name: String) throws(ArchiveError) {
    let elements: StoredElements
    do throws(ArchiveError) {
      elements = try place.elements()
    } catch {
      return try putWhole(place, name, because: error)
    }
    let isRow = place.tag == .array && place.content.isStated
    if !isRow { addHead(of: elements, name) }
    // Eight bits are in one byte, except among elements with tags of their own.
    let sharesBytes = elements.tag.isBit
    for index in 0..<elements.count where !sharesBytes || index & 7 == 0 {
      let element = try place.element(index, of: elements)
      guard element.range.lowerBound < end else { return }
      let title = "\(name)[\(index)]"
      if sharesBytes {
        let last = min(index + 7, elements.count - 1)
        put(element.range, index == last ? title : "\(title) to [\(last)]")
        // The bit after the last element is in another byte if the elements fill all bits of theirs.
        if last + 1 == elements.count, last & 7 == 7 {
          put(element.range.upperBound..<elements.end, "\(name): the bit after the last element")
        }
      } else if element.content.isStated, element.tag != .array {
        try addRecord(element, prefix: title + ".")
      } else if !element.content.isStated, element.tag.isVariable {
        try addPayload(element, title)
      } else {
        put(element.range, "\(title): \(element.tag)")
      }
    }
  }

  /// Adds the head of an array, and the zero bytes after aligned numbers (Spec/archive.md, 5.5).
  private mutating func addHead(of elements: StoredElements, _ name: String) {
    guard elements.count > 0 else { return }
    var offset = elements.start
    func take(_ byteCount: Int, _ part: String) {
      put(offset..<offset + max(0, byteCount), "\(name): \(part)")
      offset += max(0, byteCount)
    }
    let width = 1 << Int(elements.endWidth)
    take(1, "form")
    if elements.tag == .any {
      take(width, "count")
      take(elements.count, "tags")
      take(elements.tail - elements.slots, "ends")
    } else if elements.nilBits != 0 {
      take(1, "tag")
      take(width, "count")
      take(elements.slots - elements.nilBits, "nil bits")
    } else if elements.areRows {
      take(1, "tag")
      take(width, "m")
    } else if elements.areCells {
      take(elements.slots - offset, "number of the shape")
    } else if elements.hasEnds {
      take(elements.slots - width - offset, "number of the shape")
      take(width, "count")
      take(elements.tail - elements.slots, "ends")
    } else if elements.slots > offset {
      take(1, "tag")
      take(1, "z")
      take(elements.slots - offset, "zero bytes")
      put(elements.slotRange.upperBound..<elements.end, "\(name): zero bytes")
    }
  }

  private mutating func addEntries(of place: ValuePlace, _ name: String) throws(ArchiveError) {
    let keys = try SortedElements.keys(of: place.range, place.archive.number)
    put(place.range.lowerBound..<keys.lowerBound, "payload \(name): length of the keys")
    for (range, part) in [(keys, "keys"), (keys.upperBound..<place.range.upperBound, "values")] {
      try addElements(of: place.part(.array, range, levels: 0), "\(name) \(part)")
    }
  }

  /// A slot of a record that was opened.
  private struct Slot {
    let row: SlotRow
    let name: String
    let range: Range<Int>
    let isNil: Bool

    func value(in place: ValuePlace) -> ValuePlace {
      place.part(
        row.tag, isNil: isNil, range, bit: row.placement.bit, content: StatedContent(row.cell))
    }
  }
}

extension Archive {
  /// The bytes of the archive in a range, for tools that show them; the part beyond its end is left out.
  package func bytes(in range: Range<Int>) throws(ArchiveError) -> [UInt8] {
    let range = range.clamped(to: 0..<byteCount)
    let part = try storage.part(range)
    // A view does not keep the bytes alive that were read for it.
    return withExtendedLifetime(part) { part.view.copy(range) }
  }
}
