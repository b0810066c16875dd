import KeepsakeArchive

/// The numbers and the truth value of the standard library for which the containers of `Codable` have methods.
enum ScalarKind: CaseIterable {
  case bool
  case double, float
  case int, int8, int16, int32, int64
  case uint, uint8, uint16, uint32, uint64

  /// The kind of a type, nil for any other type.
  init?(_ type: Any.Type) {
    guard let kind = ScalarKind.allCases.first(where: { $0.types.single == type }) else {
      return nil
    }
    self = kind
  }

  /// The kind of the elements of an array, nil for any other type.
  init?(elementsOf type: Any.Type) {
    guard let kind = ScalarKind.allCases.first(where: { $0.types.array == type }) else {
      return nil
    }
    self = kind
  }

  private var types: (single: Any.Type, array: Any.Type) {
    switch self {
    case .bool: (Bool.self, [Bool].self)
    case .double: (Double.self, [Double].self)
    case .float: (Float.self, [Float].self)
    case .int: (Int.self, [Int].self)
    case .int8: (Int8.self, [Int8].self)
    case .int16: (Int16.self, [Int16].self)
    case .int32: (Int32.self, [Int32].self)
    case .int64: (Int64.self, [Int64].self)
    case .uint: (UInt.self, [UInt].self)
    case .uint8: (UInt8.self, [UInt8].self)
    case .uint16: (UInt16.self, [UInt16].self)
    case .uint32: (UInt32.self, [UInt32].self)
    case .uint64: (UInt64.self, [UInt64].self)
    }
  }
}

extension ScalarKind {
  var tag: ArchiveTag {
    switch self {
    case .bool: .bool
    case .double: .double
    case .float: .float
    case .int: Int.archiveTag
    case .int8: .int8
    case .int16: .int16
    case .int32: .int32
    case .int64: .int64
    case .uint: UInt.archiveTag
    case .uint8: .uint8
    case .uint16: .uint16
    case .uint32: .uint32
    case .uint64: .uint64
    }
  }

  /// The bits of a number of the kind; the sign of an integer is extended.
  @inline(__always)
  func bits<Number>(of number: Number) -> UInt64 {
    switch self {
    case .bool: identical(number, as: Bool.self) ? 1 : 0
    case .double: identical(number, as: Double.self).bitPattern
    case .float: UInt64(identical(number, as: Float.self).bitPattern)
    case .int: UInt64(truncatingIfNeeded: identical(number, as: Int.self))
    case .int8: UInt64(truncatingIfNeeded: identical(number, as: Int8.self))
    case .int16: UInt64(truncatingIfNeeded: identical(number, as: Int16.self))
    case .int32: UInt64(truncatingIfNeeded: identical(number, as: Int32.self))
    case .int64: UInt64(truncatingIfNeeded: identical(number, as: Int64.self))
    case .uint: UInt64(identical(number, as: UInt.self))
    case .uint8: UInt64(identical(number, as: UInt8.self))
    case .uint16: UInt64(identical(number, as: UInt16.self))
    case .uint32: UInt64(identical(number, as: UInt32.self))
    case .uint64: identical(number, as: UInt64.self)
    }
  }
}

extension StoredScalar {
  /// Whether the stored number has a kind, or is an integer that fits the kind.
  @inline(__always)
  func fits(_ kind: ScalarKind) -> Bool {
    switch kind {
    case .bool: tag == .bool && low <= 1
    case .double: tag == .double
    case .float: tag == .float
    case .int: fits(Int.self)
    case .int8: fits(Int8.self)
    case .int16: fits(Int16.self)
    case .int32: fits(Int32.self)
    case .int64: fits(Int64.self)
    case .uint: fits(UInt.self)
    case .uint8: fits(UInt8.self)
    case .uint16: fits(UInt16.self)
    case .uint32: fits(UInt32.self)
    case .uint64: fits(UInt64.self)
    }
  }

  @inline(__always)
  private func fits<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Bool {
    integer(as: type) != nil
  }

  /// The number as the type of a kind, which it has to fit.
  @inline(__always)
  func value<Number>(of kind: ScalarKind, as type: Number.Type) -> Number {
    switch kind {
    case .bool: identical(low == 1, as: type)
    case .double: identical(Double(bitPattern: low), as: type)
    case .float: identical(Float(bitPattern: UInt32(truncatingIfNeeded: low)), as: type)
    case .int: identical(Int(truncatingIfNeeded: bits), as: type)
    case .int8: identical(Int8(truncatingIfNeeded: bits), as: type)
    case .int16: identical(Int16(truncatingIfNeeded: bits), as: type)
    case .int32: identical(Int32(truncatingIfNeeded: bits), as: type)
    case .int64: identical(bits, as: type)
    case .uint: identical(UInt(truncatingIfNeeded: bits), as: type)
    case .uint8: identical(UInt8(truncatingIfNeeded: bits), as: type)
    case .uint16: identical(UInt16(truncatingIfNeeded: bits), as: type)
    case .uint32: identical(UInt32(truncatingIfNeeded: bits), as: type)
    case .uint64: identical(UInt64(truncatingIfNeeded: bits), as: type)
    }
  }

  /// The lowest 64 bits of an integer that fits them.
  private var bits: Int64 { isSigned ? signed : Int64(truncatingIfNeeded: low) }
}
