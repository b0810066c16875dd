import KeepsakeArchive

/// One level of nesting, at which values are encoded one after the other.
///
/// Levels are made once and used again: there are as many as values are deep.
final class EncodingLevel {
  let session: EncodingSession
  let assembler: RecordAssembler
  let depth: Int
  /// The key of the value in the container of the level above, unless that is a row.
  var key: (any CodingKey)?
  /// The last type here that has no other way into the archive than its own `encode(to:)`.
  var plainType: ObjectIdentifier?
  /// The one before, since the values of a record are mostly of a few types in turn.
  private var otherPlainType: ObjectIdentifier?
  /// The last such type that a value here handed itself on to.
  private var plainInnerType: ObjectIdentifier?
  /// Whether the archive's reader would refuse what is encoded here.
  ///
  /// The limit also bounds the stack that a value which contains itself would use up.
  let isTooDeep: Bool
  private let parent: EncodingLevel?
  private var child: EncodingLevel?

  /// The keyed container that a value here had last, and what it writes to.
  ///
  /// To make one takes longer than to write through it, so it is used again when its user has let go
  /// of it.
  let container = ReusableReference()
  /// The type of its keys, and where the plan begins for these.
  var containerKeys: ObjectIdentifier?
  var containerSteps = 0
  var place: KeyedPlace?

  init(session: EncodingSession, assembler: RecordAssembler, parent: EncodingLevel? = nil) {
    self.session = session
    self.assembler = assembler
    self.parent = parent
    depth = parent.map { $0.depth + 1 } ?? 0
    isTooDeep = depth >= session.limits.nestingDepth
  }

  /// The level of the values in a container of this one.
  var next: EncodingLevel {
    if let child { return child }
    let level = EncodingLevel(session: session, assembler: assembler, parent: self)
    child = level
    return level
  }

  /// Lets go of the levels below, which hold this one.
  func detach() {
    child?.detach()
    child = nil
    container.letGo()
    place = nil
  }

  var codingPath: [any CodingKey] {
    var path: [any CodingKey] = []
    var level: EncodingLevel? = self
    while let current = level {
      if let key = current.key {
        path.append(key)
      } else if let index = assembler.elementCount(aroundLevel: current.depth) {
        path.append(PathKey(index))
      }
      level = current.parent
    }
    path.reverse()
    return path
  }
}

extension EncodingLevel {
  /// Begins a value in the container of the level above and encodes it; to end it is left to the caller.
  ///
  /// Nothing of it remains when it throws.
  @inline(__always)
  func encodeInside(_ value: some Encodable) throws {
    let serial = assembler.begin()
    do {
      try encode(value, of: serial)
    } catch {
      assembler.drop()
      throw error
    }
  }

  /// Encodes a value at this level, for which a place was begun in the assembler.
  func encode<Value: Encodable>(_ value: Value, of serial: Int) throws {
    let type = ObjectIdentifier(Value.self)
    var isNew = false
    if plainType != type, otherPlainType != type {
      if let native = StagedValue(native: value) { return accept(native, serial) }
      if isTooDeep { throw tooDeep(value) }
      if encodeRow(value, of: serial) { return }
      isNew = session.lacksTag(type)
      if session.irregularTypes.contains(type) {
        try encodeAsTree(value)
        return session.note(assembler.openTag, of: type)
      }
      if let ordered = try session.ordered(value) {
        try encode(ordered, of: serial)
        return session.note(assembler.openTag, of: type)
      }
      otherPlainType = plainType
      plainType = type
    }
    do {
      try value.encode(to: ValueEncoder(level: self, serial: serial, tree: nil))
      if assembler.serial == serial {
        if isNew { session.note(assembler.openTag, of: type) }
        return
      }
    } catch {
      if assembler.serial == serial { throw error }
    }
    // The value filled containers in turns, or broke a rule: that needs the tree.
    plainType = nil
    otherPlainType = nil
    session.irregularTypes.insert(type)
    assembler.drop()
    _ = assembler.begin()
    try encodeAsTree(value)
    session.note(assembler.openTag, of: type)
  }

  private func encodeAsTree(_ value: some Encodable) throws {
    let tree = ValueTree(path: codingPath, depth: depth, level: self)
    defer { tree.detach() }
    try tree.encode(value)
    _ = tree.write(to: assembler)
  }

  /// Encodes a value in the place of another, which hands itself on.
  func encode<Value: Encodable>(_ value: Value, inPlaceOf encoder: ValueEncoder) throws {
    if plainInnerType != ObjectIdentifier(Value.self) {
      if let native = StagedValue(native: value) { return accept(native, encoder.serial) }
      if encodeRow(value, of: encoder.serial) { return }
      if let ordered = try session.ordered(value) {
        return try encode(ordered, inPlaceOf: encoder)
      }
      plainInnerType = ObjectIdentifier(Value.self)
    }
    try value.encode(to: encoder)
  }

  private func tooDeep(_ value: Any) -> EncodingError {
    .tooDeep(value, limit: session.limits.nestingDepth, at: codingPath)
  }

  private func accept(_ value: StagedValue, _ serial: Int) {
    accept(value.write(to: assembler, of: serial), serial)
  }

  /// A value that is written where there is one already needs the error that the tree has for it.
  func accept(_ isDone: Bool, _ serial: Int) {
    if !isDone { session.giveUp(serial) }
  }
}

// Arrays that are written as a whole.

extension EncodingLevel {
  /// Writes an array of numbers or texts, as its elements would be one by one; false when the value
  /// is no such array.
  func encodeRow<Value>(_ value: Value, of serial: Int) -> Bool {
    if Value.self == [String].self, let row = value as? [String] {
      accept(assembler.set(row, of: serial), serial)
      return true
    }
    if Value.self == [Int].self, let row = value as? [Int] {
      accept(assembler.set(integers: row.archivedBits, isSigned: true, of: serial), serial)
      return true
    }
    if Value.self == [UInt].self, let row = value as? [UInt] {
      accept(assembler.set(integers: row.archivedBits, isSigned: false, of: serial), serial)
      return true
    }
    return setRow(Double.self, .double, value, serial)
      || setRow(Float.self, .float, value, serial) || setRow(Int32.self, .int32, value, serial)
      || setRow(UInt8.self, .uint8, value, serial) || setRow(UInt32.self, .uint32, value, serial)
      || setRow(Int64.self, .int64, value, serial) || setRow(UInt64.self, .uint64, value, serial)
      || setRow(Int16.self, .int16, value, serial)
      || setRow(UInt16.self, .uint16, value, serial) || setRow(Int8.self, .int8, value, serial)
      || setRow(Bool.self, .bool, value, serial)
  }

  @inline(__always)
  private func setRow<Scalar: BitwiseCopyable, Value>(
    _ type: Scalar.Type, _ tag: ArchiveTag, _ value: Value, _ serial: Int
  ) -> Bool {
    guard Value.self == [Scalar].self, let row = value as? [Scalar] else { return false }
    accept(assembler.set(row, tag, of: serial), serial)
    return true
  }
}
