public import KeepsakeArchive

/// The content of a nested record or of a whole object: its type and its fields.
public struct DynamicRecord: Hashable, Sendable {
  /// One key of a record with its value.
  public struct Field: Hashable, Sendable {
    // The order of the properties avoids padding, since there are as many fields as values.
    /// The value.
    public var value: DynamicValue
    /// The tag that a value is declared with if it may be nil; nil for a value that may not.
    ///
    /// It decides how many bytes a nil takes and which shape the record has (Spec/archive.md, 4.3 and 5.3). It is not
    /// part of the value: fields that differ only in it are equal.
    package var optionalTag: ArchiveTag?
    /// True when a nil in the slot would mean that the key is absent (Spec/archive.md, 5.3).
    package var omitsNil = false
    private var place: Place

    /// A key with its scopes.
    ///
    /// A key without scopes needs no retain and no release. All fields that are read under one key in scopes share one
    /// object.
    private enum Place: Sendable {
      case key(String)
      case reservedKey(String)
      case scoped(ScopedKey)
    }

    /// The scopes that the key is declared in, from the outermost.
    public var scope: [String] {
      get { if case .scoped(let place) = place { place.scope } else { [] } }
      set { place = Field.place(newValue, key) }
    }

    /// The key.
    public var key: ArchiveKey {
      get {
        switch place {
        case .key(let name): ArchiveKey(name)
        case .reservedKey(let name): ArchiveKey(reserved: name)
        case .scoped(let place): place.key
        }
      }
      set { place = Field.place(scope, newValue) }
    }

    /// The object that all fields under one key in scopes share; nil for a key without scopes.
    package var sharedKey: AnyObject? {
      if case .scoped(let place) = place { place } else { nil }
    }

    /// Makes a field; the scopes of its key are in order from the outermost.
    ///
    /// The optional tag is the one that a value is declared with if it may be nil; nil for a value that may not.
    public init(
      scope: [String] = [], key: ArchiveKey, value: DynamicValue, optionalTag: ArchiveTag? = nil
    ) {
      self.value = value
      self.optionalTag = optionalTag
      place = Field.place(scope, key)
    }

    package init(
      scope: [String], key: ArchiveKey, value: DynamicValue, optionalTag: ArchiveTag?,
      omitsNil: Bool
    ) {
      self.init(scope: scope, key: key, value: value, optionalTag: optionalTag)
      self.omitsNil = omitsNil
    }

    /// A field under a scoped key.
    init(
      _ scoped: ScopedKey, value: DynamicValue, optionalTag: ArchiveTag?, omitsNil: Bool
    ) {
      self.value = value
      self.optionalTag = optionalTag
      self.omitsNil = omitsNil
      place = .scoped(scoped)
    }

    private static func place(_ scope: [String], _ key: ArchiveKey) -> Place {
      if !scope.isEmpty { return .scoped(ScopedKey(scope, key)) }
      return key.isReserved ? .reservedKey(key.name) : .key(key.name)
    }
  }

  private enum Content: Sendable {
    /// The fields, and the type that the record was written as.
    ///
    /// The type is nil if it has neither name nor version. Records that are read from one archive share it.
    case made([Field], DynamicType?)
    case stored(StoredRecord)
  }

  private var content: Content

  /// The values, in the order in which they were written.
  ///
  /// A record that was read and has many more values than bytes keeps the bytes of the archive. Each access then
  /// decodes all fields: read this property once, not once for each index. After a change the record keeps its fields.
  ///
  /// - Complexity: O(1), or O(*n*) for a record of *n* fields that keeps the bytes.
  public var fields: [Field] {
    get {
      switch content {
      case .made(let fields, _): fields
      case .stored(let record): record.made().fields
      }
    }
    _modify {
      var (fields, type) = parts
      // The fields must be uniquely referenced while they are changed, or each change would copy them.
      content = .made([], nil)
      defer { content = .made(fields, type) }
      yield &fields
    }
  }

  var parts: (fields: [Field], type: DynamicType?) {
    switch content {
    case .made(let fields, let type): (fields, type)
    case .stored(let record): record.made()
    }
  }

  /// The type that the record was written as; its absent slots are known only when the fields have been made.
  private var type: DynamicType? {
    switch content {
    case .made(_, let type): type
    case .stored(let record): record.type
    }
  }

  private mutating func setType(_ type: (DynamicType?) -> DynamicType?) {
    let (fields, old) = parts
    content = .made(fields, type(old))
  }

  /// The name of the type that the record was written as; empty for a type without a name.
  public var typeName: String {
    get { type?.name ?? "" }
    set { setType { DynamicType(newValue, $0?.schemaVersion ?? 0, absent: $0?.absent ?? []) } }
  }

  /// The version of the type's set of keys.
  public var schemaVersion: UInt32 {
    get { type?.schemaVersion ?? 0 }
    set { setType { DynamicType($0?.name ?? "", newValue, absent: $0?.absent ?? []) } }
  }

  /// Makes a record; the type name is empty for none, and the schema version is that of the type's set of keys.
  public init(typeName: String = "", schemaVersion: UInt32 = 0, fields: [Field] = []) {
    self.init(type: DynamicType(typeName, schemaVersion), fields: fields)
  }

  @inline(__always)
  package init(type: DynamicType?, fields: [Field]) {
    content = .made(fields, type)
  }

  init(_ record: StoredRecord) { content = .stored(record) }
}

extension DynamicRecord {
  /// Whether both records have the same type, and the same fields in the same order.
  public static func == (left: DynamicRecord, right: DynamicRecord) -> Bool {
    left.hasSameType(as: right) && left.fields == right.fields
  }

  /// Feeds the type and the fields to a hasher.
  public func hash(into hasher: inout Hasher) {
    typeName.hashBytes(into: &hasher)
    hasher.combine(schemaVersion)
    hasher.combine(fields)
  }

  /// Whether both records have the same type in the same version.
  package func hasSameType(as other: DynamicRecord) -> Bool {
    type === other.type
      || schemaVersion == other.schemaVersion && typeName.hasSameBytes(as: other.typeName)
  }
}

extension DynamicRecord.Field {
  /// Whether both fields have the same scopes, key and stored value.
  public static func == (left: DynamicRecord.Field, right: DynamicRecord.Field) -> Bool {
    left.hasSamePlace(as: right) && left.value == right.value
  }

  /// Feeds the scopes, the key and the value to a hasher.
  public func hash(into hasher: inout Hasher) {
    for name in scope { name.hashBytes(into: &hasher) }
    hasher.combine(key)
    hasher.combine(value)
  }

  /// Whether both fields are under the same key of the same scopes.
  func hasSamePlace(as other: DynamicRecord.Field) -> Bool {
    key == other.key && hasScope(other.scope)
  }

  func hasScope(_ other: [String]) -> Bool {
    if scope.isEmpty || other.isEmpty { return scope.isEmpty && other.isEmpty }
    return scope.elementsEqual(other) { $0.hasSameBytes(as: $1) }
  }

  /// Whether the field is shown before another one.
  ///
  /// The keys of a scope are shown together, before the keys of its inner scopes. Names are ordered by their bytes.
  package func precedes(_ other: DynamicRecord.Field) -> Bool {
    for (name, otherName) in zip(scope, other.scope) where !name.hasSameBytes(as: otherName) {
      return name.bytesPrecede(otherName)
    }
    if scope.count != other.scope.count { return scope.count < other.scope.count }
    if key.isReserved != other.key.isReserved { return other.key.isReserved }
    return key.name.bytesPrecede(other.key.name)
  }
}

extension DynamicRecord {
  /// The slots without values, in their order.
  package var absentSlots: [AbsentSlot] { parts.type?.absent ?? [] }
}

// Edits of one record. A changed field stays at its index, and an added field is the last one: references are numbered
// in this order (Spec/archive.md, 4.4).

extension DynamicRecord {
  /// The value under a key, or nil when the key is absent; setting nil removes the key.
  ///
  /// A stored nil is ``DynamicValue/null`` and not an absent value. The scopes are in order from the outermost.
  public subscript(key: ArchiveKey, inScope scope: [String] = []) -> DynamicValue? {
    get {
      let fields = fields
      return DynamicRecord.index(of: key, inScope: scope, in: fields).map { fields[$0].value }
    }
    set {
      guard let newValue else {
        removeValue(forKey: key, inScope: scope)
        return
      }
      if let index = index(of: key, inScope: scope) {
        put(newValue, at: index)
      } else {
        add(Field(scope: scope, key: key, value: newValue))
      }
    }
  }

  /// Removes a key with its value, and returns the value; nil when the key is absent from the scopes.
  @discardableResult
  public mutating func removeValue(
    forKey key: ArchiveKey, inScope scope: [String] = []
  ) -> DynamicValue? {
    index(of: key, inScope: scope).map { fields.remove(at: $0).value }
  }

  /// Gives a value another key, or moves it to other scopes; returns whether there was a value under the key.
  ///
  /// The value stays in its scopes unless others are given; an empty list makes the key unscoped.
  ///
  /// - Throws: `ArchiveError` with `duplicateKey` when the new key is taken, and then nothing is
  ///   changed.
  @discardableResult
  public mutating func renameKey(
    _ key: ArchiveKey, to newKey: ArchiveKey, inScope scope: [String] = [],
    toScope newScope: [String]? = nil
  ) throws(ArchiveError) -> Bool {
    let newScope = newScope ?? scope
    guard let index = index(of: key, inScope: scope) else { return false }
    if let other = self.index(of: newKey, inScope: newScope) {
      if other == index { return true }
      var error = ArchiveError(.duplicateKey, "there is a value under this key already")
      error.remedy = "Decide which of both values stays, and remove the other one first."
      throw error.under(fields[other].name)
    }
    fields[index].key = newKey
    fields[index].scope = newScope
    if fields[index].isTemplate { fields.insert(fields.remove(at: index), at: 0) }
    return true
  }

  /// Replaces a value, which may be ``DynamicValue/null``, by the result of a closure; returns whether there was one.
  ///
  /// - Throws: The error of `convert`, and then nothing is changed.
  @discardableResult
  public mutating func convertValue(
    forKey key: ArchiveKey, inScope scope: [String] = [],
    _ convert: (DynamicValue) throws -> DynamicValue
  ) rethrows -> Bool {
    guard let index = index(of: key, inScope: scope) else { return false }
    put(try convert(fields[index].value), at: index)
    return true
  }

  /// Stores a value under an absent key, and returns whether the key was absent; a stored nil counts as a value.
  @discardableResult
  public mutating func setDefault(
    _ value: DynamicValue, forKey key: ArchiveKey, inScope scope: [String] = []
  ) -> Bool {
    guard index(of: key, inScope: scope) == nil else { return false }
    add(Field(scope: scope, key: key, value: value))
    return true
  }

  /// Adds a field after the others; the template comes before them (Spec/archive.md, 4.3).
  private mutating func add(_ field: Field) {
    fields.insert(field, at: field.isTemplate ? 0 : fields.count)
  }

  func index(of key: ArchiveKey, inScope scope: [String]) -> Int? {
    DynamicRecord.index(of: key, inScope: scope, in: fields)
  }

  static func index(of key: ArchiveKey, inScope scope: [String], in fields: [Field]) -> Int? {
    // A span compares fields without copying them.
    let span = fields.span
    for index in span.indices where span[index].key == key && span[index].hasScope(scope) {
      return index
    }
    return nil
  }

  /// Replaces a value; an optional value stays optional, with the tag of the new value.
  private mutating func put(_ value: DynamicValue, at index: Int) {
    if let tag = fields[index].optionalTag, value != .null, value.storedTag != tag {
      fields[index].optionalTag = value.storedTag
    }
    // A stored nil is a value: its key is not absent.
    if value == .null { fields[index].omitsNil = false }
    fields[index].value = value
  }
}

extension DynamicRecord.Field {
  fileprivate var isTemplate: Bool { key == .template && scope.isEmpty }
}

// Records nested in the values of a record, at any depth (Spec/archive.md, 5.4).

extension DynamicRecord {
  /// Edits all records of one type, this record and those nested in it, and returns their number.
  ///
  /// Inner records are edited before the records that contain them, so no record is edited twice.
  ///
  /// - Throws: The error of `body`; the record may then be changed in part.
  @discardableResult
  public mutating func updateRecords(
    ofType typeName: String, _ body: (inout DynamicRecord) throws -> Void
  ) throws -> Int {
    var count = 0
    try fields.update(where: { $0.holdsRecord(ofType: typeName) }) {
      count += try $0.updateRecords(ofType: typeName, body)
    }
    guard self.typeName.hasSameBytes(as: typeName) else { return count }
    try body(&self)
    return count + 1
  }

  /// True when a record that has a type name is nested in this one, at any depth.
  package var holdsTypedRecords: Bool {
    let list = fields
    let span = list.span
    for index in span.indices where span[index].value.holdsTypedRecords { return true }
    return false
  }
}

extension DynamicRecord.Field {
  /// The key after its scopes, such as `Base.title`, with control characters escaped.
  package var name: String { DisplayedPath.text(of: scope + [key.description]).displayed }
}
