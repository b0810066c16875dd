public import KeepsakeArchive

// Reading without types, value by value. The depth is checked when a value is opened, which also bounds the recursion.
// Functions that read a container, or only some values, are not inlined, so that each level of values needs less stack.

extension ValueDecoder {
  /// Reads the value with everything nested in it; throws for more values than `ArchiveLimits.valueCount` allows.
  package func dynamicValue() throws(ArchiveError) -> DynamicValue {
    var budget = ReadingBudget(byteCount: byteCount)
    return try dynamicValue(&budget)
  }

  func dynamicValue(_ budget: inout ReadingBudget) throws(ArchiveError) -> DynamicValue {
    // Most values in arrays and dictionaries are strings.
    if let text = value.text { return .string(text) }
    return switch try containerTag {
    case .record: try dynamicNestedRecord(&budget)
    case .enumeration: try dynamicEnumeration(&budget)
    case .array: try dynamicArray(&budget)
    case .set: try dynamicSet(&budget)
    case .dictionary: try dynamicDictionary(&budget)
    default: try dynamicScalar()
    }
  }

  /// The tag of a value that contains others; nil for a nil, and for an array of unknown form.
  @inline(__always)
  private var containerTag: ArchiveTag? {
    get throws(ArchiveError) {
      if value.isNil { return nil }
      switch value.tag {
      case .record, .enumeration, .set: return value.tag
      case .array: return hasUnknownForm ? nil : .array
      case .dictionary:
        if !hasUnknownForm { return .dictionary }
        try checkKeys()
        return nil
      default: return nil
      }
    }
  }

  /// Reads a value that contains no other values, or a nil.
  @inline(never)
  private func dynamicScalar() throws(ArchiveError) -> DynamicValue {
    if !value.isNil, let plain = scalar.dynamicValue { return plain }
    return try value.storage.with { storage throws(ArchiveError) in
      try storage.otherValue(scalar, isNil: value.isNil, value.range)
    }
  }

  @inline(never)
  private func dynamicNestedRecord(
    _ budget: inout ReadingBudget
  ) throws(ArchiveError) -> DynamicValue {
    .record(try lentRecord().dynamicRecord(&budget))
  }

  @inline(never)
  private func dynamicArray(_ budget: inout ReadingBudget) throws(ArchiveError) -> DynamicValue {
    .array(try dynamicValues(value.storedElements(), &budget))
  }

  @inline(never)
  private func dynamicSet(_ budget: inout ReadingBudget) throws(ArchiveError) -> DynamicValue {
    .set(try dynamicValues(value.storedMembers(), &budget))
  }

  /// Decodes elements or members; keeps them in their stored form when the budget has no memory left for them.
  private func dynamicValues(
    _ elements: StoredElements, _ budget: inout ReadingBudget
  ) throws(ArchiveError) -> DynamicValues {
    if elements.count == 0 || budget.take(ReadingBudget.byteCount(of: elements)) {
      return DynamicValues(try dynamicElements(elements, &budget))
    }
    if !budget.isChecked { try check(elements) }
    return DynamicValues(StoredArray(elements, of: self))
  }

  /// Reads elements that are kept in their stored form, to find damage.
  ///
  /// The error of a key has no index: in its path, the index would look like that of a value.
  private func check(_ elements: StoredElements, areKeys: Bool = false) throws(ArchiveError) {
    // Any bits are a valid number or truth value.
    if elements.areNumbers || elements.tag == .bool { return }
    var none = ReadingBudget.none
    for index in 0..<elements.count {
      do throws(ArchiveError) {
        _ = try element(index, of: elements).dynamicValue(&none)
      } catch {
        throw areKeys ? error : error.atElement(index)
      }
    }
  }

  /// True when the value is an array of unknown form, or a dictionary whose values have an unknown form.
  package var hasUnknownForm: Bool {
    !value.content.isStated && ArrayForm.isUnknown(value.tag, value.view, value.range)
  }

  @inline(never)
  fileprivate func dynamicEnumeration(
    _ budget: inout ReadingBudget
  ) throws(ArchiveError) -> DynamicValue {
    let record = try lentRecord(.enumeration)
    return .enumeration(record.enumerationCase ?? "", try record.dynamicRecord(&budget))
  }

  private func dynamicElements(
    _ elements: StoredElements, _ budget: inout ReadingBudget
  ) throws(ArchiveError) -> [DynamicValue] {
    var values: [DynamicValue] = []
    values.reserveCapacity(elements.count)
    for index in 0..<elements.count {
      do throws(ArchiveError) {
        values.append(try element(index, of: elements).dynamicValue(&budget))
      } catch {
        throw error.atElement(index)
      }
    }
    return values
  }

  /// Checks the keys of a dictionary whose values have an unknown form, by the rules for any dictionary.
  @inline(never)
  private func checkKeys() throws(ArchiveError) {
    try value.checkDepth()
    try check(SortedElements(value.view, value.shapes).keys(value.range), areKeys: true)
  }

  @inline(never)
  private func dynamicDictionary(
    _ budget: inout ReadingBudget
  ) throws(ArchiveError) -> DynamicValue {
    let (keys, values) = try value.storedEntries()
    let byteCount = ReadingBudget.byteCount(of: keys) + ReadingBudget.byteCount(of: values)
    if keys.count > 0, !budget.take(byteCount) {
      if !budget.isChecked {
        try check(keys, areKeys: true)
        try check(values)
      }
      return .dictionary(DynamicEntries(StoredDictionary(keys, values, of: self)))
    }
    var entries: [DynamicEntry] = []
    entries.reserveCapacity(keys.count)
    for index in 0..<keys.count {
      let key = try element(index, of: keys).dynamicValue(&budget)
      do {
        let value = try element(index, of: values).dynamicValue(&budget)
        entries.append(DynamicEntry(key: key, value: value))
      } catch {
        throw error.atElement(index)
      }
    }
    return .dictionary(entries)
  }

  /// The number of bytes of the value's slot and payload, without its nil bit and padding.
  package var byteCount: Int {
    value.range.count + (value.tag.isVariable && !value.content.isStated ? value.tag.byteCount : 0)
  }
}

// All one-bit values of unknown kinds share these arrays, since eight of them take one byte of the archive.
private let clearBit: [UInt8] = [0]
private let setBit: [UInt8] = [1]

extension ArchiveStorage {
  @inline(never)
  fileprivate func otherValue(
    _ scalar: StoredScalar, isNil: Bool, _ range: Range<Int>
  ) throws(ArchiveError) -> DynamicValue {
    let tag = scalar.tag
    if isNil || tag == .null { return .null }
    let offset = range.lowerBound
    switch tag {
    case .bool: return .bool(scalar.low != 0)
    case .bytes: return .bytes(view.copy(range))
    case .reference:
      return .reference(try object(view.reference(range), at: offset))
    case .conditionalReference:
      let number = view.reference(range)
      try checkConditional(number)
      return .conditionalReference(ArchiveConditionalReference(number))
    case .string, .url:
      guard tag == .url, let text = view.string(range) else { throw ArchiveError.badText(range) }
      return .url(ArchiveURL(text))
    default:
      if tag.isBit { return .unknown(tag, bytes: scalar.low == 0 ? clearBit : setBit) }
      return .unknown(tag, bytes: view.copy(range))
    }
  }
}

extension ObjectDecoder {
  /// Reads everything that is stored in this scope and in those inside it, without its types.
  ///
  /// - Throws: `ArchiveError` when stored bytes contradict the format, or a record holds more values
  ///   than `ArchiveLimits.valueCount` allows.
  public func dynamicRecord() throws(ArchiveError) -> DynamicRecord {
    var budget = ReadingBudget(byteCount: self.byteCount)
    return try dynamicRecord(&budget)
  }

  fileprivate func dynamicRecord(
    _ budget: inout ReadingBudget
  ) throws(ArchiveError) -> DynamicRecord {
    try storage.with { storage throws(ArchiveError) in
      try storage.tables.record(of: self, &budget)
    }
  }

  func madeRecord(
    _ budget: inout ReadingBudget
  ) throws(ArchiveError) -> (fields: [DynamicRecord.Field], type: DynamicType?) {
    try storage.with { storage throws(ArchiveError) in
      try storage.tables.madeRecord(of: self, &budget)
    }
  }

  /// Passes everything that is stored in this scope and in those inside it to a closure, value by value.
  ///
  /// The field has the key and its scopes, but no value.
  package func forEachField(
    _ body: (_ key: DynamicRecord.Field, _ value: borrowing ValueDecoder) throws -> Void
  ) throws {
    try checkValueCount()
    let slots = shape.slots
    var fieldKeys = FieldKeys(from: scope)
    for slot in 0..<slots.count {
      let row = slots[slot]
      var scoped: ScopedKey?
      if row.scope != scope {
        scoped = storage.with { fieldKeys.scoped(row, $0.tables) }
        if scoped == nil { continue }
      }
      if fields.isAbsent(row) { continue }
      do {
        try body(
          storage.with { $0.tables.field(row, .null, under: scoped) }, value(ofSlot: slot))
      } catch let error as ArchiveError {
        throw storage.with { $0.tables.located(error, row, scoped, self) }
      }
    }
  }

  fileprivate func checkValueCount() throws(ArchiveError) {
    do throws(ArchiveError) {
      try record.checkValueCount(storage.with { $0.limits.valueCount })
    } catch {
      throw error.inObject(objectID)
    }
  }

  /// Reads the value of a slot; the most frequent kinds are read inline.
  @inline(__always)
  fileprivate func dynamicValue(
    ofSlot slot: Int, _ row: SlotRow, _ tables: borrowing ReaderTables,
    _ budget: inout ReadingBudget
  ) throws(ArchiveError) -> DynamicValue {
    if !fields.isNil(row) {
      if row.tag == .string {
        if let text = view.string(fields.payload(row)) { return .string(text) }
      } else if row.tag == .record {
        let record = ArchiveSlot(shape.slots.reference(slot))
        return .record(try tables.record(of: lentRecord(record), &budget))
      } else if row.tag == .enumeration {
        return try value(ofSlot: slot).dynamicEnumeration(&budget)
      } else if let value = StoredScalar(
        row.tag, in: view, at: start &+ Int(row.placement.offset), bit: row.placement.bit
      ).dynamicValue {
        return value
      }
    }
    return try value(ofSlot: slot).dynamicValue(&budget)
  }

  /// The key of a slot of the record, whatever its scope, as a field of the dynamic view.
  package func field(ofSlot slot: Int, _ value: DynamicValue) -> DynamicRecord.Field {
    let row = shape.slots[slot]
    return storage.with { $0.tables.field(row, value) }
  }

  /// The error with the scopes and the key of a slot of the record.
  @inline(never)
  func located(_ error: ArchiveError, inSlot slot: Int) -> ArchiveError {
    let names = storage.with { $0.tables.names(ofKey: Int(shape.slots[slot].key)) }
    return error.under(names).inObject(objectID)
  }

  /// The key of a slot after its scopes, such as `Base.title`.
  package func name(ofSlot slot: Int) -> String { field(ofSlot: slot, .null).name }
}

extension ReaderTables {
  /// Reads a record; it is a method of the tables, so that they are not retained for each record.
  fileprivate func record(
    of coder: borrowing ObjectDecoder, _ budget: inout ReadingBudget
  ) throws(ArchiveError) -> DynamicRecord {
    let slots = coder.shape.slots
    if slots.count == 0 || budget.take(ReadingBudget.byteCount(of: coder.shape)) {
      let (fields, type) = try madeRecord(of: coder, &budget)
      return DynamicRecord(type: type, fields: fields)
    }
    if !budget.isChecked { try check(coder) }
    return DynamicRecord(StoredRecord(coder))
  }

  /// Reads the values of a record that is kept in its stored form, to find damage.
  @inline(never)
  private func check(_ coder: borrowing ObjectDecoder) throws(ArchiveError) {
    var none = ReadingBudget.none
    _ = try readSlots(of: coder, &none, keepsValues: false)
  }

  fileprivate func madeRecord(
    of coder: borrowing ObjectDecoder, _ budget: inout ReadingBudget
  ) throws(ArchiveError) -> (fields: [DynamicRecord.Field], type: DynamicType?) {
    let (fields, absent) = try readSlots(of: coder, &budget, keepsValues: true)
    if absent.isEmpty { return (fields, sharedType(of: coder.shape)) }
    return (fields, DynamicType(coder.typeName, coder.schemaVersion, absent: absent))
  }

  /// Reads the slots of a record; the results are empty unless the values are kept.
  @inline(__always)
  private func readSlots(
    of coder: borrowing ObjectDecoder, _ budget: inout ReadingBudget, keepsValues: Bool
  ) throws(ArchiveError) -> (fields: [DynamicRecord.Field], absent: [AbsentSlot]) {
    try coder.checkValueCount()
    let slots = coder.shape.slots
    var fields: [DynamicRecord.Field] = []
    var absent: [AbsentSlot] = []
    // There is room for two more fields, so that an edit can add them without moving all.
    if keepsValues, slots.count > 0 { fields.reserveCapacity(slots.count + 2) }
    var fieldKeys = FieldKeys(from: coder.scope)
    for slot in 0..<slots.count {
      let row = slots[slot]
      var scoped: ScopedKey?
      if row.scope != coder.scope {
        scoped = fieldKeys.scoped(row, self)
        if scoped == nil { continue }
      }
      if row.traits & SlotRow.omitsNil != 0, coder.fields.isAbsent(row) {
        if keepsValues { note(row, in: scoped, before: fields.count, &absent) }
        continue
      }
      do throws(ArchiveError) {
        let value = try coder.dynamicValue(ofSlot: slot, row, self, &budget)
        if keepsValues { fields.append(field(row, value, under: scoped)) }
      } catch {
        throw located(error, row, scoped, coder)
      }
    }
    return (fields, absent)
  }

  @inline(never)
  fileprivate func located(
    _ error: ArchiveError, _ row: SlotRow, _ scoped: ScopedKey?, _ coder: borrowing ObjectDecoder
  ) -> ArchiveError {
    error.under(coder.path + (scoped?.scope ?? []) + [key(of: row).name]).inObject(coder.objectID)
  }

  /// Records a slot without a value.
  @inline(never)
  private func note(
    _ row: SlotRow, in scoped: ScopedKey?, before index: Int, _ absent: inout [AbsentSlot]
  ) {
    absent.append(
      AbsentSlot(
        index: index, scope: scoped?.scope ?? [], key: key(of: row),
        tag: row.tag))
  }
}

/// The keys of the slots of one record, relative to the scope of its decoder.
private struct FieldKeys {
  private let outer: Int32
  /// The names from the scope of the decoder to other scopes; nil for a scope that is not inside it.
  private var names: [Int32: [String]?] = [:]

  init(from outer: Int32) {
    self.outer = outer
  }

  /// The key of a slot in a scope; nil when the scope is not inside the decoder's scope.
  @inline(never)
  mutating func scoped(_ row: SlotRow, _ tables: borrowing ReaderTables) -> ScopedKey? {
    // Nearly all records are read from the top, and share the keys of the tables.
    if !ScopeNumber.isEntry(Int(outer)) { return tables.scopedKey(row.key) }
    if names[row.scope] == nil {
      names.updateValue(tables.scopeNames(from: outer, to: row.scope), forKey: row.scope)
    }
    guard let scope = names[row.scope] ?? nil else { return nil }
    return ScopedKey(scope, tables.key(of: row))
  }
}

extension ReaderTables {
  /// A value under the key of a slot, with all its scopes.
  fileprivate func field(_ row: SlotRow, _ value: DynamicValue) -> DynamicRecord.Field {
    field(row, value, under: row.scope == ScopeNumber.top ? nil : scopedKey(row.key))
  }

  /// A value under the key of a slot; `scoped` is nil for a key without scopes.
  @inline(never)
  fileprivate func field(
    _ row: SlotRow, _ value: DynamicValue, under scoped: ScopedKey?
  ) -> DynamicRecord.Field {
    let optionalTag = row.placement.nilMask != 0 ? row.tag : nil
    let omitsNil = row.traits & SlotRow.omitsNil != 0
    if let scoped {
      return DynamicRecord.Field(
        scoped, value: value, optionalTag: optionalTag, omitsNil: omitsNil)
    }
    return DynamicRecord.Field(
      scope: [], key: key(of: row), value: value, optionalTag: optionalTag,
      omitsNil: omitsNil)
  }
}
