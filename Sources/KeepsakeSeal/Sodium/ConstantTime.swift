internal import CSodium

/// `sodium_memcmp`: comparison in time that depends on the count only.
enum ConstantTime {
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == right.count else { return false }
    return unsafe sodium_memcmp(left, right, left.count) == 0
  }
}
