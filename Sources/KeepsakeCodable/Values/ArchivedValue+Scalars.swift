import KeepsakeArchive

extension ArchivedValue {
  /// A signed integer in the width of its type.
  init<Integer: FixedWidthInteger & SignedInteger>(_ value: Integer) {
    self = .signed(Int64(value), bitWidth: Integer.bitWidth)
  }

  /// An unsigned integer in the width of its type.
  init<Integer: FixedWidthInteger & UnsignedInteger>(_ value: Integer) {
    self = .unsigned(UInt64(value), bitWidth: Integer.bitWidth)
  }

  var isNull: Bool {
    if case .null = self { true } else { false }
  }
}
