public import KeepsakeArchive

/// A record with all its values: what a nested value, or a whole object, holds.
public struct ArchivedRecord: Hashable, Sendable {
  /// One key of a record with its value.
  public struct Field: Hashable, Sendable {
    // In an order that leaves no gaps, since there are as many fields as values.
    /// The value.
    public var value: ArchivedValue
    /// How a value that may be nil is declared, or nil for a value that may not.
    ///
    /// It decides how much room a nil takes and which shape the record has (Spec/archive.md, 4.3 and 5.3),
    /// and says nothing about the value: fields that differ only in it are equal.
    public var optionalTag: ArchiveTag?
    /// Whether a nil of the slot means that there is no value (Spec/archive.md, 5.3); there is one here.
    var omitsNil = false
    private var place: Place

    /// A key with its scopes; nothing is counted or released for a key without scopes, and all fields
    /// that are read under one key of scopes share it.
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

    /// The object that all fields share which are read under one key in scopes; nil for a key in no scope.
    package var sharedKey: AnyObject? {
      if case .scoped(let place) = place { place } else { nil }
    }

    /// Makes a field.
    ///
    /// - Parameters:
    ///   - scope: The scopes that the key is declared in, from the outermost.
    ///   - key: The key.
    ///   - value: The value.
    ///   - optionalTag: How a value that may be nil is declared, or nil for a value that may not.
    public init(
      scope: [String] = [], key: ArchiveKey, value: ArchivedValue, optionalTag: ArchiveTag? = nil
    ) {
      self.value = value
      self.optionalTag = optionalTag
      place = Field.place(scope, key)
    }

    init(
      scope: [String], key: ArchiveKey, value: ArchivedValue, optionalTag: ArchiveTag?,
      omitsNil: Bool
    ) {
      self.init(scope: scope, key: key, value: value, optionalTag: optionalTag)
      self.omitsNil = omitsNil
    }

    /// A field under a key of scopes.
    init(
      _ scoped: ScopedKey, value: ArchivedValue, optionalTag: ArchiveTag?, omitsNil: Bool
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

  /// The values, in the order in which they were written.
  public var fields: [Field]
  /// The type that the record was written as, nil for a type without name and version; records that are read
  /// of one archive share it.
  var type: ArchivedType?

  /// The name of the type that the record was written as; empty for none.
  public var typeName: String {
    get { type?.name ?? "" }
    set { type = ArchivedType(newValue, schemaVersion, absent: absentSlots) }
  }

  /// The version of the type's set of keys.
  public var schemaVersion: UInt32 {
    get { type?.schemaVersion ?? 0 }
    set { type = ArchivedType(typeName, newValue, absent: absentSlots) }
  }

  /// Makes a record.
  ///
  /// - Parameters:
  ///   - typeName: The name of the type; empty for none.
  ///   - schemaVersion: The version of the type's set of keys.
  ///   - fields: The values.
  public init(typeName: String = "", schemaVersion: UInt32 = 0, fields: [Field] = []) {
    self.init(type: ArchivedType(typeName, schemaVersion), fields: fields)
  }

  @inline(__always)
  init(type: ArchivedType?, fields: [Field]) {
    self.fields = fields
    self.type = type
  }
}

extension ArchivedRecord {
  /// Whether both records have the same type, and the same fields in the same order.
  public static func == (left: ArchivedRecord, right: ArchivedRecord) -> Bool {
    left.hasSameType(as: right) && left.fields == right.fields
  }

  /// Feeds the type and the fields to a hasher.
  public func hash(into hasher: inout Hasher) {
    typeName.hashBytes(into: &hasher)
    hasher.combine(schemaVersion)
    hasher.combine(fields)
  }

  /// Whether both are of one type, and of one version of its keys.
  func hasSameType(as other: ArchivedRecord) -> Bool {
    type === other.type
      || schemaVersion == other.schemaVersion && typeName.hasSameBytes(as: other.typeName)
  }
}

extension ArchivedRecord.Field {
  /// Whether both fields have the same scopes, key and stored value.
  public static func == (left: ArchivedRecord.Field, right: ArchivedRecord.Field) -> Bool {
    left.hasSamePlace(as: right) && left.value == right.value
  }

  /// Feeds the scopes, the key and the value to a hasher.
  public func hash(into hasher: inout Hasher) {
    for name in scope { name.hashBytes(into: &hasher) }
    hasher.combine(key)
    hasher.combine(value)
  }

  /// Whether both fields are under the same key of the same scopes.
  func hasSamePlace(as other: ArchivedRecord.Field) -> Bool {
    key == other.key && hasScope(other.scope)
  }

  /// Whether the key is declared in these scopes.
  func hasScope(_ other: [String]) -> Bool {
    if scope.isEmpty || other.isEmpty { return scope.isEmpty && other.isEmpty }
    return scope.elementsEqual(other) { $0.hasSameBytes(as: $1) }
  }

  /// Whether the field comes before another one when fields are shown: the keys of a scope together,
  /// before those of the scopes in it, by their bytes.
  func precedes(_ other: ArchivedRecord.Field) -> Bool {
    for (name, otherName) in zip(scope, other.scope) where !name.hasSameBytes(as: otherName) {
      return name.bytesPrecede(otherName)
    }
    if scope.count != other.scope.count { return scope.count < other.scope.count }
    if key.isReserved != other.key.isReserved { return other.key.isReserved }
    return key.name.bytesPrecede(other.key.name)
  }
}

extension ArchivedRecord {
  /// The slots without values, in their order.
  var absentSlots: [AbsentSlot] { type?.absent ?? [] }
}
