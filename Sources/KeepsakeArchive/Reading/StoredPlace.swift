/// The place of a stored value, by which it is recognized when it is read a second time.
///
/// Two values that have bytes never share a place. The archive has to be kept as long as the place is used.
package struct StoredPlace: Hashable {
  private let storage: ObjectIdentifier
  private let offset: Int
  private let depth: Int32

  fileprivate init(of value: ValueView) {
    storage = value.storage.with { ObjectIdentifier($0) }
    offset = value.offset
    // The first value in a record may start where the record starts, one level deeper.
    depth = value.depth
  }
}

extension ValueView {
  package var place: StoredPlace { StoredPlace(of: self) }
}
