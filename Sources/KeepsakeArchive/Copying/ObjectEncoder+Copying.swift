// Values that are copied unchanged. Each is checked as if it were read (Spec/archive.md, section 5), and written
// where and how the writer would write it: only bytes that no rule restricts are copied as bytes.

extension ObjectEncoder {
  /// Writes the fields of a stored record by a plan.
  ///
  /// - Parameters:
  ///   - copyPlan: A plan for the shape of the record.
  ///   - record: The stored record.
  ///   - computed: The values that were computed for the record.
  ///   - copier: The copier for nested records.
  /// - Throws: ``ArchiveError`` when stored bytes contradict the format, or a nested record is
  ///   barred.
  package mutating func encode(
    _ copyPlan: RecordCopyPlan, of record: borrowing ObjectDecoder, computed: [ComputedValue] = [],
    _ copier: inout RecordCopier
  ) throws(ArchiveError) {
    for slot in copyPlan.droppedSlots {
      try copier.check(record.computedValue(ofSlot: slot).value)
    }
    let list = copyPlan.fields
    let fields = list.span
    for index in fields.indices {
      let outer = frame.scope
      if !fields[index].scope.isEmpty { enter(scopes: fields[index].scope) }
      let place = ArchivePlace.key(fields[index].key)
      switch fields[index].source {
      case .slot(let slot):
        var target = place
        if fields[index].isNullable { target = place.nullable }
        if fields[index].omitsNil { target = place.omittingNil }
        do throws(ArchiveError) {
          try copy(record.value(ofSlot: slot), at: target, &copier)
        } catch {
          throw record.located(error, inSlot: slot)
        }
      case .constant(let value): value.encode(to: &self, at: place)
      case .record(let inner): try encode(inner, of: record, computed: computed, at: place, &copier)
      case .computed(let number):
        let value = computed[number]
        if let tag = value.optionalTag {
          if case .null = value.value {
            encodeNil(tag: tag, at: place)
          } else {
            value.value.encode(to: &self, at: place.nullable)
          }
        } else {
          value.value.encode(to: &self, at: place)
        }
      }
      frame.scope = outer
    }
  }

  /// Writes a new nested record with values of a stored one.
  private mutating func encode(
    _ copyPlan: RecordCopyPlan, of record: borrowing ObjectDecoder, computed: [ComputedValue],
    at place: ArchivePlace, _ copier: inout RecordCopier
  ) throws(ArchiveError) {
    guard enterDepth(at: place) else { return encodeNil(tag: .record, at: place) }
    beginBody(
      tag: .record, typeName: copyPlan.typeName, schemaVersion: copyPlan.schemaVersion, at: place)
    try encode(copyPlan, of: record, computed: computed, &copier)
    endBody(tag: .record, at: place)
  }

  /// Writes a stored value unchanged.
  private mutating func copy(
    _ value: borrowing ValueDecoder, at place: ArchivePlace, _ copier: inout RecordCopier
  ) throws(ArchiveError) {
    if value.isNil { return encodeNil(tag: value.tag, at: place) }
    if value.tag.hasFreeBits { return encode(value.scalar, at: place) }
    switch value.tag {
    case .string, .url:
      let range = value.range
      guard value.view.isUTF8(range) else { throw ArchiveError.badText(range) }
      copyPayload(value.view, range, tag: value.tag, at: place)
    case .bytes: copyPayload(value.view, value.range, tag: .bytes, at: place)
    case .bool:
      encode(value.scalar, at: place)
    case .reference: encodeReference(try value.reference(), at: place)
    case .conditionalReference:
      encodeConditionalReference(try value.conditionalNumber(), at: place)
    case .record, .enumeration: try copyRecord(value, at: place, &copier)
    case .array where !value.hasUnknownForm: try copyArray(value, at: place, &copier)
    case .set: try copySet(value, at: place, &copier)
    case .dictionary where !value.hasUnknownForm: try copyDictionary(value, at: place, &copier)
    default:
      let other = try value.dynamicValue()
      try copier.check(other)
      other.encode(to: &self, at: place)
    }
  }

  private mutating func copyPayload(
    _ view: ByteView, _ range: Range<Int>, tag: ArchiveTag, at place: ArchivePlace
  ) {
    let slot = beginPayload(tag: tag, at: place)
    if slot == ObjectEncoder.noSlot { return }
    bytes.append(from: view, range)
    endPayload(slot: slot, at: place)
  }

  private mutating func copyNumbers(
    _ view: ByteView, _ elements: StoredElements, at place: ArchivePlace
  ) {
    let slot = beginPayload(tag: .array, at: place)
    if slot == ObjectEncoder.noSlot { return }
    // The zero bytes around them depend on their offset, and were not looked at.
    appendArray(of: elements.tag, count: elements.count) { bytes in
      bytes.append(from: view, elements.slotRange)
    }
    endPayload(slot: slot, at: place)
  }

  private mutating func copyRecord(
    _ value: borrowing ValueDecoder, at place: ArchivePlace, _ copier: inout RecordCopier
  ) throws(ArchiveError) {
    let record =
      value.tag == .record ? try value.lentRecord() : try value.lentEnumeration()
    let copyPlan = try copier.copyPlan(of: record)
    guard enterDepth(at: place) else { return encodeNil(tag: value.tag, at: place) }
    beginBody(
      tag: value.tag, typeName: copyPlan.typeName, schemaVersion: copyPlan.schemaVersion, at: place)
    if let name = copyPlan.enumerationCase { beginCase(name) }
    try encode(copyPlan, of: record, &copier)
    endBody(tag: value.tag, at: place)
  }

  private mutating func copyArray(
    _ value: borrowing ValueDecoder, at place: ArchivePlace, _ copier: inout RecordCopier
  ) throws(ArchiveError) {
    let elements = try value.elements()
    guard enterDepth(at: place) else { return encodeNil(tag: .array, at: place) }
    if elements.areNumbers {
      // Only the count and the tag of numbers side by side have rules (5.5).
      copyNumbers(value.view, elements, at: place)
      return
    }
    let outer = beginElements(count: elements.count, at: place)
    try copy(elements, of: value, &copier)
    endElements(outer, at: place)
  }

  private mutating func copySet(
    _ value: borrowing ValueDecoder, at place: ArchivePlace, _ copier: inout RecordCopier
  ) throws(ArchiveError) {
    let elements = try value.members()
    guard enterDepth(at: place) else { return encodeNil(tag: .set, at: place) }
    let slot = beginPayload(tag: .set, at: place)
    if slot < 0 { return }
    if elements.count > 0 {
      let members = beginMembers(count: elements.count)
      try copy(elements, of: value, &copier)
      endMembers(members, at: place)
    }
    endPayload(slot: slot, at: place)
  }

  private mutating func copyDictionary(
    _ value: borrowing ValueDecoder, at place: ArchivePlace, _ copier: inout RecordCopier
  ) throws(ArchiveError) {
    let entries = try value.dictionaryEntries()
    guard enterDepth(at: place) else { return encodeNil(tag: .dictionary, at: place) }
    let slot = beginPayload(tag: .dictionary, at: place)
    if slot < 0 { return }
    if entries.keys.count > 0 {
      var members = beginKeys(count: entries.keys.count)
      for index in 0..<entries.keys.count {
        try copy(value.element(index, of: entries.keys), at: .element, &copier)
      }
      beginValues(&members, at: place)
      // The keys are in their order, so the values are too.
      try copy(entries.values, of: value, &copier)
      endDictionary(members)
    }
    endPayload(slot: slot, at: place)
  }

  /// Writes stored elements one after the other; an error names the element.
  private mutating func copy(
    _ elements: StoredElements, of value: borrowing ValueDecoder, _ copier: inout RecordCopier
  ) throws(ArchiveError) {
    for index in 0..<elements.count {
      do throws(ArchiveError) {
        try copy(value.element(index, of: elements), at: .element, &copier)
      } catch {
        throw error.atElement(index)
      }
    }
  }
}
