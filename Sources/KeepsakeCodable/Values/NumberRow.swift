/// The arrays of numbers or texts that are read and written as a whole.
enum NumberRow: CaseIterable {
  case texts, bool
  case double, float
  case int, int8, int16, int32, int64
  case uint, uint8, uint16, uint32, uint64

  /// The array that a type is, nil for any other type.
  init?(_ type: Any.Type) {
    guard let row = NumberRow.allCases.first(where: { $0.type == type }) else { return nil }
    self = row
  }

  private var type: Any.Type {
    switch self {
    case .texts: [String].self
    case .bool: [Bool].self
    case .double: [Double].self
    case .float: [Float].self
    case .int: [Int].self
    case .int8: [Int8].self
    case .int16: [Int16].self
    case .int32: [Int32].self
    case .int64: [Int64].self
    case .uint: [UInt].self
    case .uint8: [UInt8].self
    case .uint16: [UInt16].self
    case .uint32: [UInt32].self
    case .uint64: [UInt64].self
    }
  }
}
