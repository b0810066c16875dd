import KeepsakeArchive

/// Converts stored values to Swift types as the keyed coders do, with the errors of Codable
/// (Spec/archive.md, section 6).
extension NodeDecoder {
  /// The tag of the value; `null` for a nil.
  var tag: ArchiveTag { value.isNil ? .null : value.tag }

  func string() throws -> String {
    guard tag == .string else { throw mismatch(String.self, "a string") }
    return try read(String.self)
  }

  /// A number that is the stored one, or is rounded to the precision of the type; or a truth value.
  func scalar<Scalar: CodableScalar>() throws -> Scalar {
    guard let scalar = value.scalar, Scalar.accepts(scalar) else {
      throw mismatch(Scalar.self, Scalar.kindName)
    }
    if let converted = Scalar(converting: scalar) { return converted }
    if Scalar.self is any FixedWidthInteger.Type {
      throw corrupted("The stored number does not fit the type \(Scalar.self).")
    }
    return try read(Scalar.self)
  }

  /// A value of a type for which the archive has its own kind of value.
  func native<Native: NativeValue, Value>(_ kind: Native.Type, as type: Value.Type) throws -> Value
  {
    guard Native.isStored(in: value) else { throw mismatch(type, Native.kindName) }
    return try opened(try Native.value(in: value, as: type))
  }

  func read<Native: ArchiveValue>(_ type: Native.Type) throws -> Native {
    try opened(try value.read(type))
  }

  /// Reads or opens a part of the value, with an error for bytes that contradict the format or for a value that its
  /// type does not allow.
  @inline(__always)
  func opened<Content>(_ read: @autoclosure () throws(ArchiveError) -> Content) throws -> Content {
    do {
      return try read()
    } catch {
      throw corrupted(error.contextDescription, error)
    }
  }

  /// The error for a value that is not of the requested kind.
  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let context = DecodingError.Context(
      codingPath: codingPath,
      debugDescription: "The archive holds a value of kind \(tag) where \(expected) is expected."
    )
    return value.isNil ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  func corrupted(
    _ description: String, _ underlying: (any Error)? = nil
  ) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath, debugDescription: description, underlyingError: underlying))
  }
}
