#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import KeepsakeArchive

/// Converts stored values to Swift types as the keyed coders do, with the errors of Codable
/// (Spec/archive.md, section 6).
struct ValueReader {
  let value: ValueView
  /// The level of the value's decoder, or of the decoder of the container that has the value under `key`.
  let level: DecodingLevel
  /// The path of a decoder that a type kept.
  let path: [any CodingKey]?
  let key: (any CodingKey)?

  func element(_ value: ValueView, at index: Int) -> ValueReader {
    ValueReader(value: value, level: level, path: path, key: PathKey(index))
  }

  private var codingPath: [any CodingKey] {
    guard let key else { return path ?? level.codingPath }
    return path.map { $0 + [key] } ?? level.codingPath(to: key)
  }

  func string() throws -> String {
    guard value.tag == .string, !value.isNil else { throw mismatch(String.self, "a string") }
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

  /// A number rounded to the nearest number of 16 bits, as the type itself would read a wider one.
  func half<Half>(as type: Half.Type) throws -> Half {
    #if (os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64)
      throw mismatch(type, "a number that this platform has")
    #else
      guard let scalar = value.scalar, Double.accepts(scalar) else {
        throw mismatch(type, Double.kindName)
      }
      return identical(try read(Float16.self), as: type)
    #endif
  }

  /// An integer as a decimal number, nil for any other value.
  var wholeDecimal: Decimal? {
    guard let scalar = value.scalar, scalar.isInteger else { return nil }
    let digits =
      scalar.integer(as: Int128.self).map { "\($0)" }
      ?? scalar.integer(as: UInt128.self).map { "\($0)" }
    guard let digits, let number = Decimal(string: digits) else { return nil }
    return "\(number)" == digits ? number : nil
  }

  /// A value of a type for which the archive has its own kind of value.
  func native<Native: NativeValue, Value>(_ kind: Native.Type, as type: Value.Type) throws -> Value
  {
    guard Native.isStored(in: value) else { throw mismatch(type, Native.kindName) }
    do {
      return try Native.value(in: value, as: type)
    } catch {
      throw damaged(error)
    }
  }

  private func read<Native: ArchiveValue>(_ type: Native.Type) throws -> Native {
    do {
      return try value.read(type)
    } catch {
      throw damaged(error)
    }
  }

  /// The content that a body opens, such as the elements of an array.
  func opened<Content>(
    _ body: (ValueView) throws(ArchiveError) -> Content
  ) throws -> Content {
    do {
      return try body(value)
    } catch {
      throw damaged(error)
    }
  }

  /// The error for a value that is not of the requested kind.
  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let stored = value.isNil ? ArchiveTag.null : value.tag
    let context = DecodingError.Context(
      codingPath: codingPath,
      debugDescription: "The archive holds a value of kind \(stored) where \(expected) is expected."
    )
    return value.isNil ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// The error for bytes that contradict the format, or a value that its type does not allow.
  func damaged(_ error: ArchiveError) -> DecodingError {
    corrupted(error.contextDescription, error)
  }

  func corrupted(
    _ description: String, _ underlying: (any Error)? = nil
  ) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath, debugDescription: description, underlyingError: underlying))
  }
}
