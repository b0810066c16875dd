import KeepsakeArchive

/// How values of a type are read or written: those of the standard library and of Foundation by this library, all
/// others by their own conformance.
///
/// `Kind` is the type of the protocol by which this library reads, or writes, optionals and collections.
enum LibraryForm<Kind> {
  /// By the type's own `init(from:)` or `encode(to:)`.
  case itself
  case text
  case texts
  case scalar(any CodableScalar.Type)
  /// An array of numbers or truth values.
  case row(any CodableScalar.Type)
  case native(any NativeValue.Type)
  case kind(Kind)

  /// Finds the form of a type; only a type whose size is one of `sizes`, or an optional, can be of a kind.
  ///
  /// A cast of any other type would take longer than reading or writing a small value.
  init<Value>(of type: Value.Type, sizes: [Int]) {
    if type == String.self {
      self = .text
    } else if let scalar = scalarKind(type) {
      self = .scalar(scalar)
    } else if let native = nativeKind(type) {
      self = .native(native)
    } else if !isOptional(type), !sizes.contains(MemoryLayout<Value>.size) {
      self = .itself
    } else if type == [String].self {
      self = .texts
    } else if let scalar = scalarKind(elementsOf: type) {
      self = .row(scalar)
    } else if let kind = type as? Kind {
      self = .kind(kind)
    } else {
      self = .itself
    }
  }

  /// The size of the collections of the standard library, which are one reference.
  static var collectionSize: Int { MemoryLayout<Int>.size }
}
