package import KeepsakeArchive

// Values that are copied unchanged. Each is checked as if it were read (Spec/archive.md, section 5), and written
// where and how the writer would write it: only bytes that no rule restricts are copied as bytes.

extension ObjectEncoder {
  /// Writes the fields of a stored record by a plan for its shape; throws when a nested record is barred.
  package mutating func encode(
    _ copyPlan: RecordCopyPlan, of record: borrowing ObjectDecoder, computed: [ComputedValue] = [],
    _ copier: inout RecordCopier
  ) throws(ArchiveError) {
    for slot in copyPlan.droppedSlots {
      try copier.check(record.computedValue(ofSlot: slot).value)
    }
    let stored = record.fields
    let list = copyPlan.fields
    let fields = list.span
    for index in fields.indices {
      let outer = scope
      if !fields[index].scope.isEmpty { enter(scopes: fields[index].scope) }
      let place = fields[index].place
      switch fields[index].source {
      case .slot(let slot):
        do throws(ArchiveError) {
          let value = stored.value(ofSlot: slot)
          if try !copyPlain(value, at: place) { try copyContainer(value, at: place, &copier) }
        } catch {
          throw record.located(error, inSlot: slot)
        }
      case .constant(let value): value.encode(to: &self, at: place)
      case .record(let inner): try encode(inner, of: record, computed: computed, at: place, &copier)
      case .computed(let number):
        encode(computed[number].value, optionalTag: computed[number].optionalTag, at: place)
      }
      leaveScope(to: outer)
    }
  }

  /// Writes a new nested record with values of a stored one.
  private mutating func encode(
    _ copyPlan: RecordCopyPlan, of record: borrowing ObjectDecoder, computed: [ComputedValue],
    at place: ArchivePlace, _ copier: inout RecordCopier
  ) throws(ArchiveError) {
    guard enters(.record, at: place) else { return }
    beginBody(
      tag: .record, typeName: copyPlan.typeName, schemaVersion: copyPlan.schemaVersion, at: place)
    try encode(copyPlan, of: record, computed: computed, &copier)
    endBody(tag: .record, at: place)
  }
}

// Values are copied with the values that are nested in them. A list of open containers replaces recursion, because
// stored values may be nested as deep as the limits of the caller allow.

/// A stored container whose values are being copied.
struct OpenCopy {
  enum Content {
    case record(RecordView, RecordCopyPlan)
    case array(StoredElements, EnclosingFrames)
    case set(StoredElements, OpenMembers)
    case keys(StoredElements, values: StoredElements, OpenMembers)
    case values(StoredElements, OpenMembers)
  }

  var content: Content
  let value: ValueView
  let place: ArchivePlace
  /// The slot of the payload of a set or a dictionary.
  var slot = 0
  /// The scope that the keys of a record start in.
  var scope: Int32 = 0
  /// The index of the next field or element.
  var next = 0
}

extension ObjectEncoder {
  /// Writes a stored value as it is, with the values that are nested in it.
  private mutating func copyContainer(
    _ value: ValueView, at place: ArchivePlace, _ copier: inout RecordCopier
  ) throws(ArchiveError) {
    guard let open = try begin(value, at: place, &copier) else { return }
    // The list reuses the memory of earlier ones.
    var stack: [OpenCopy] = []
    swap(&stack, &copier.openCopies)
    defer { swap(&stack, &copier.openCopies) }
    stack.removeAll(keepingCapacity: true)
    stack.append(open)
    do throws(ArchiveError) {
      while !stack.isEmpty {
        if let child = try advance(&stack[stack.count - 1], &copier) {
          stack.append(child)
        } else {
          stack.removeLast()
        }
      }
    } catch {
      var error = error
      for open in stack.reversed() { error = open.located(error) }
      throw error
    }
  }

  /// Writes a value that contains no others, or a nil; false for any other value, and for one of an unknown kind.
  ///
  /// Most values are plain, and take none of the memory that an open container does.
  private mutating func copyPlain(
    _ value: ValueView, at place: ArchivePlace
  ) throws(ArchiveError) -> Bool {
    if value.isNil {
      encodeNil(tag: value.tag, at: place)
      return true
    }
    switch value.tag {
    case .string, .url:
      guard value.view.isUTF8(value.range) else { throw ArchiveError.badText(value.range) }
      encodePayload(value.view, value.range, tag: value.tag, at: place)
    case .bytes: encodePayload(value.view, value.range, tag: .bytes, at: place)
    case .reference: encodeReference(try ValueDecoder(value).reference(), at: place)
    case .conditionalReference:
      encodeConditionalReference(try ValueDecoder(value).conditionalNumber(), at: place)
    default:
      guard value.tag.hasFreeBits || value.tag == .bool, let scalar = value.scalar else {
        return false
      }
      encode(scalar, at: place)
    }
    return true
  }

  /// Begins a container and returns it; writes any other value that is not plain and returns nil.
  private mutating func begin(
    _ value: ValueView, at place: ArchivePlace, _ copier: inout RecordCopier
  ) throws(ArchiveError) -> OpenCopy? {
    switch value.tag {
    case .record, .enumeration: return try beginRecord(value, at: place, &copier)
    case .array where !ValueDecoder(value).hasUnknownForm: return try beginArray(value, at: place)
    case .set: return try beginSet(value, at: place)
    case .dictionary where !ValueDecoder(value).hasUnknownForm:
      return try beginDictionary(value, at: place)
    default:
      let other = try ValueDecoder(value).dynamicValue()
      try copier.check(other)
      other.encode(to: &self, at: place)
    }
    return nil
  }

  private mutating func beginRecord(
    _ value: ValueView, at place: ArchivePlace, _ copier: inout RecordCopier
  ) throws(ArchiveError) -> OpenCopy? {
    let opened = try value.openedRecord(tag: value.tag)
    let record = RecordView(
      opened, view: value.view, storage: value.storage, depth: value.depth + 1)
    let copyPlan = try copier.copyPlan(
      of: ObjectDecoder(
        opened, objectID: ArchiveObjectID(1), depth: record.depth, view: value.view,
        storage: value.storage, graph: nil))
    guard enters(value.tag, at: place) else { return nil }
    beginBody(
      tag: value.tag, typeName: copyPlan.typeName, schemaVersion: copyPlan.schemaVersion, at: place)
    if let name = copyPlan.enumerationCase { beginCase(name) }
    return OpenCopy(
      content: .record(record, copyPlan), value: value, place: place, scope: scope)
  }

  private mutating func beginArray(
    _ value: ValueView, at place: ArchivePlace
  ) throws(ArchiveError) -> OpenCopy? {
    let elements = try value.storedElements()
    guard enters(.array, at: place) else { return nil }
    if elements.areNumbers {
      // The numbers may have any bits: only their count and their tag have rules (5.5).
      encodeNumbers(
        value.view, elements.slotRange, tag: elements.tag, count: elements.count, at: place)
      return nil
    }
    let outer = beginElements(count: elements.count, at: place)
    return OpenCopy(content: .array(elements, outer), value: value, place: place)
  }

  private mutating func beginSet(
    _ value: ValueView, at place: ArchivePlace
  ) throws(ArchiveError) -> OpenCopy? {
    let elements = try value.storedMembers()
    guard let slot = beginSorted(value, count: elements.count, at: place) else { return nil }
    return OpenCopy(
      content: .set(elements, beginMembers(count: elements.count)), value: value, place: place,
      slot: slot)
  }

  private mutating func beginDictionary(
    _ value: ValueView, at place: ArchivePlace
  ) throws(ArchiveError) -> OpenCopy? {
    let (keys, values) = try value.storedEntries()
    guard let slot = beginSorted(value, count: keys.count, at: place) else { return nil }
    return OpenCopy(
      content: .keys(keys, values: values, beginKeys(count: keys.count)), value: value,
      place: place, slot: slot)
  }

  /// Begins the payload of a set or a dictionary; nil when it is complete, since it is empty or cannot be written.
  private mutating func beginSorted(
    _ value: ValueView, count: Int, at place: ArchivePlace
  ) -> Int? {
    guard enters(value.tag, at: place) else { return nil }
    let slot = beginPayload(tag: value.tag, at: place)
    if slot == ObjectEncoder.noSlot { return nil }
    if count > 0 { return slot }
    endPayload(slot: slot, at: place)
    return nil
  }

  /// Copies the values of an open container up to the next container in it, and returns that one; at the end,
  /// completes the open container and returns nil.
  private mutating func advance(
    _ open: inout OpenCopy, _ copier: inout RecordCopier
  ) throws(ArchiveError) -> OpenCopy? {
    switch open.content {
    case .record(let record, let copyPlan):
      if let child = try nextField(of: record, copyPlan, &open, &copier) { return child }
      endBody(tag: open.value.tag, at: open.place)
    case .array(let elements, let outer):
      if let child = try nextElement(of: elements, &open, &copier) { return child }
      endElements(outer, at: open.place)
    case .set(let elements, let members):
      if let child = try nextElement(of: elements, &open, &copier) { return child }
      endMembers(members, at: open.place)
      endPayload(slot: open.slot, at: open.place)
    case .keys(let elements, let values, var members):
      if let child = try nextElement(of: elements, &open, &copier) { return child }
      beginValues(&members, at: open.place)
      // The stored keys are sorted, so the values are copied in their stored order.
      open.content = .values(values, members)
      open.next = 0
      return try advance(&open, &copier)
    case .values(let elements, let members):
      if let child = try nextElement(of: elements, &open, &copier) { return child }
      endDictionary(members)
      endPayload(slot: open.slot, at: open.place)
    }
    return nil
  }

  /// Copies the fields of a nested record up to the next container, and returns that one; nil at the end.
  private mutating func nextField(
    of record: RecordView, _ copyPlan: RecordCopyPlan, _ open: inout OpenCopy,
    _ copier: inout RecordCopier
  ) throws(ArchiveError) -> OpenCopy? {
    // The field before may have changed the scope.
    leaveScope(to: open.scope)
    let list = copyPlan.fields
    let fields = list.span
    while open.next < fields.count {
      let index = open.next
      open.next += 1
      // The plan of a nested record has only slots.
      guard case .slot(let slot) = fields[index].source else { continue }
      if !fields[index].scope.isEmpty { enter(scopes: fields[index].scope) }
      let (value, place) = (record.value(ofSlot: slot), fields[index].place)
      if try !copyPlain(value, at: place), let child = try begin(value, at: place, &copier) {
        return child
      }
      leaveScope(to: open.scope)
    }
    return nil
  }

  /// Copies elements up to the next container, and returns that one; nil at the end.
  private mutating func nextElement(
    of elements: StoredElements, _ open: inout OpenCopy, _ copier: inout RecordCopier
  ) throws(ArchiveError) -> OpenCopy? {
    while open.next < elements.count {
      let index = open.next
      open.next += 1
      let element = open.value.element(index, of: elements)
      if try !copyPlain(element, at: .element),
        let child = try begin(element, at: .element, &copier)
      {
        return child
      }
    }
    return nil
  }
}

extension OpenCopy {
  /// The error with the key or the index of the value that is being copied.
  func located(_ error: ArchiveError) -> ArchiveError {
    switch content {
    case .record(let record, let copyPlan):
      guard next > 0, case .slot(let slot) = copyPlan.fields[next - 1].source else { return error }
      let names = record.storage.with {
        $0.tables.names(ofKey: Int(record.shape.slots[slot].key))
      }
      return error.under(names)
    case .array, .set, .values: return error.atElement(next - 1)
    case .keys: return error
    }
  }
}
