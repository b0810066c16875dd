import KeepsakeArchive

extension StoredValue {
  /// The stored integer as a type that it fits, or nil.
  func exactly<Integer: FixedWidthInteger>() -> Integer? {
    switch integer {
    case .signed(let stored): Integer(exactly: stored)
    case .unsigned(let stored): Integer(exactly: stored)
    case nil: nil
    }
  }
}
