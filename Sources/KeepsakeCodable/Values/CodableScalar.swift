import KeepsakeArchive

/// A number or the truth value of the standard library, for which the containers of `Codable` have methods.
protocol CodableScalar: ArchiveValue, BitwiseCopyable, Codable {
  /// The words for such values in an error.
  static var kindName: String { get }
  /// True when a stored number is of this kind, or of one that is converted to it.
  static func accepts(_ scalar: StoredScalar) -> Bool

  /// The bits of the value; the sign of an integer is extended.
  var storedBits: UInt64 { get }
  init(storedBits: UInt64)
  /// Converts a stored number; nil when it is of another kind or does not fit.
  init?(converting scalar: StoredScalar)
  /// Finds the value among those of the tags that most such values have; `bits` is nil for a value of another tag.
  static func find(_ bits: (ArchiveTag) -> UInt64?) -> Self?

  /// All elements of an array; nil unless all of them are stored as such values.
  static func all(_ elements: ArrayView, of value: ValueView) -> [Self]?
  static func set(_ values: [Self], to assembler: inout RecordAssembler, of serial: Int) -> Bool

  // The same for generic code that knows the type by another name. They are requirements, so that each type has
  // functions of its own.

  static func bits<Value>(of value: Value) -> UInt64
  static func value<Value>(
    _ scalar: StoredScalar, as type: Value.Type, otherwise: () throws -> Value
  ) throws -> Value
  static func row<Row>(
    _ elements: ArrayView, of value: ValueView, as type: Row.Type, otherwise: () throws -> Row
  ) throws -> Row
  static func set<Row>(row: Row, to assembler: inout RecordAssembler, of serial: Int) -> Bool
}

/// The kind of a type, nil for a type that is no number and no truth value.
func scalarKind(_ type: Any.Type) -> (any CodableScalar.Type)? { scalarKinds.first { $0 == type } }

/// The kind of the elements of an array, nil for any other type.
func scalarKind(elementsOf type: Any.Type) -> (any CodableScalar.Type)? {
  scalarKinds.first { $0.rowType == type }
}

private var scalarKinds: [any CodableScalar.Type] {
  [
    Bool.self, Double.self, Float.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
    UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
  ]
}

extension CodableScalar {
  fileprivate static var rowType: Any.Type { [Self].self }

  @inline(__always)
  static func find(_ bits: (ArchiveTag) -> UInt64?) -> Self? {
    bits(archiveTag).map { Self(storedBits: $0) }
  }

  @inline(__always)
  static func all(_ elements: ArrayView, of value: ValueView) -> [Self]? {
    elements.scalars(Self.self, archiveTag)
  }

  @inline(__always)
  static func set(_ values: [Self], to assembler: inout RecordAssembler, of serial: Int) -> Bool {
    assembler.set(values, archiveTag, of: serial)
  }

  @inline(__always)
  static func bits<Value>(of value: Value) -> UInt64 { identical(value, as: Self.self).storedBits }

  @inline(__always)
  static func value<Value>(
    _ scalar: StoredScalar, as type: Value.Type, otherwise: () throws -> Value
  ) throws -> Value {
    if let value = Self(converting: scalar) { return identical(value, as: type) }
    return try otherwise()
  }

  @inline(__always)
  static func row<Row>(
    _ elements: ArrayView, of value: ValueView, as type: Row.Type, otherwise: () throws -> Row
  ) throws -> Row {
    if let values = all(elements, of: value) { return identical(values, as: type) }
    return try otherwise()
  }

  @inline(__always)
  static func set<Row>(row: Row, to assembler: inout RecordAssembler, of serial: Int) -> Bool {
    set(identical(row, as: [Self].self), to: &assembler, of: serial)
  }
}

extension CodableScalar where Self: FixedWidthInteger {
  static var kindName: String { "an integer" }
  static func accepts(_ scalar: StoredScalar) -> Bool { scalar.isInteger }

  @inline(__always) var storedBits: UInt64 { UInt64(truncatingIfNeeded: self) }

  @inline(__always)
  init(storedBits: UInt64) { self.init(truncatingIfNeeded: storedBits) }

  @inline(__always)
  init?(converting scalar: StoredScalar) {
    guard let integer = scalar.integer(as: Self.self) else { return nil }
    self = integer
  }
}

extension CodableScalar where Self: BinaryFloatingPoint {
  static var kindName: String { "a number" }
  static func accepts(_ scalar: StoredScalar) -> Bool { scalar.double != nil || scalar.isInteger }
}

extension Int8: CodableScalar {}
extension Int16: CodableScalar {}
extension Int32: CodableScalar {}
extension Int64: CodableScalar {}
extension UInt8: CodableScalar {}
extension UInt16: CodableScalar {}
extension UInt32: CodableScalar {}
extension UInt64: CodableScalar {}

// Most integers of the width of the processor are stored in 32 bits (Spec/archive.md, 5.1).

extension Int: CodableScalar {
  @inline(__always)
  static func find(_ bits: (ArchiveTag) -> UInt64?) -> Int? {
    if let narrow = bits(.int32) { return Int(Int32(truncatingIfNeeded: narrow)) }
    return bits(.int64).map { Int(truncatingIfNeeded: $0) }
  }

  static func all(_ elements: ArrayView, of value: ValueView) -> [Int]? { elements.integers() }

  static func set(_ values: [Int], to assembler: inout RecordAssembler, of serial: Int) -> Bool {
    assembler.set(integers: values.archivedBits, isSigned: true, of: serial)
  }
}

extension UInt: CodableScalar {
  @inline(__always)
  static func find(_ bits: (ArchiveTag) -> UInt64?) -> UInt? {
    (bits(.uint32) ?? bits(.uint64)).map { UInt(truncatingIfNeeded: $0) }
  }

  static func all(_ elements: ArrayView, of value: ValueView) -> [UInt]? {
    elements.unsignedIntegers()
  }

  static func set(_ values: [UInt], to assembler: inout RecordAssembler, of serial: Int) -> Bool {
    assembler.set(integers: values.archivedBits, isSigned: false, of: serial)
  }
}

extension Double: CodableScalar {
  var storedBits: UInt64 { bitPattern }
  init(storedBits: UInt64) { self.init(bitPattern: storedBits) }

  init?(converting scalar: StoredScalar) {
    guard let number = scalar.double else { return nil }
    self = number
  }
}

extension Float: CodableScalar {
  var storedBits: UInt64 { UInt64(bitPattern) }
  init(storedBits: UInt64) { self.init(bitPattern: UInt32(truncatingIfNeeded: storedBits)) }

  init?(converting scalar: StoredScalar) {
    guard let number = scalar.float else { return nil }
    self = number
  }
}

extension Bool: CodableScalar {
  static var kindName: String { "a truth value" }
  static func accepts(_ scalar: StoredScalar) -> Bool { scalar.tag == .bool }

  var storedBits: UInt64 { self ? 1 : 0 }
  init(storedBits: UInt64) { self = storedBits == 1 }

  init?(converting scalar: StoredScalar) {
    guard scalar.tag == .bool, scalar.low <= 1 else { return nil }
    self = scalar.low == 1
  }

  static func find(_ bits: (ArchiveTag) -> UInt64?) -> Bool? {
    switch bits(.bool) {
    case 0: false
    case 1: true
    default: nil
    }
  }

  static func all(_ elements: ArrayView, of value: ValueView) -> [Bool]? {
    try? value.read([Bool].self)
  }
}
