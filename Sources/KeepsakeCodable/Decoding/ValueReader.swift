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
  private let level: DecodingLevel
  /// The path of a decoder that a type kept.
  private let path: [any CodingKey]?
  private let key: (any CodingKey)?

  init(
    value: ValueView, level: DecodingLevel, path: [any CodingKey]?, key: (any CodingKey)?
  ) {
    self.value = value
    self.level = level
    self.path = path
    self.key = key
  }

  func element(_ value: ValueView, at index: Int) -> ValueReader {
    ValueReader(value: value, level: level, path: path, key: PathKey(index))
  }

  private var codingPath: [any CodingKey] {
    guard let key else { return path ?? level.codingPath }
    return path.map { $0 + [key] } ?? level.codingPath(to: key)
  }

  func bool() throws -> Bool {
    if let scalar = value.scalar, scalar.fits(.bool) { return scalar.low == 1 }
    guard value.tag == .bool, !value.isNil else { throw mismatch(Bool.self, "a truth value") }
    return try read(Bool.self)
  }

  func string() throws -> String {
    guard value.tag == .string, !value.isNil else { throw mismatch(String.self, "a string") }
    do {
      return try value.string()
    } catch {
      throw damaged(error)
    }
  }

  /// An integer of any width that the stored value fits.
  func integer<Integer: FixedWidthInteger>() throws -> Integer {
    guard let scalar = value.scalar, scalar.isInteger else {
      throw mismatch(Integer.self, "an integer")
    }
    guard let fitting = scalar.integer(as: Integer.self) else {
      throw corrupted("The stored number does not fit the type \(Integer.self).")
    }
    return fitting
  }

  /// A number in full precision.
  func double() throws -> Double { try value.scalar?.double ?? floatingPoint() }

  /// A number rounded to the nearest Float; one that is finite must stay so.
  func float() throws -> Float { try value.scalar?.float ?? floatingPoint() }

  /// A floating-point number of any width, or an integer that is the same number.
  func floatingPoint<Number: ArchiveValue>() throws -> Number {
    guard let scalar = value.scalar, scalar.double != nil || scalar.isInteger else {
      throw mismatch(Number.self, "a number")
    }
    return try read(Number.self)
  }

  /// A number rounded to the nearest number of 16 bits, as the type itself would read a wider one.
  func half<Half>(as type: Half.Type) throws -> Half {
    #if (os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64)
      throw mismatch(type, "a number that this platform has")
    #else
      return identical(try floatingPoint() as Float16, as: type)
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
  func native<Native>(_ kind: NativeKind, as type: Native.Type) throws -> Native {
    switch kind {
    case .date:
      guard holds(.date) else { throw mismatch(type, "a date") }
      return identical(try read(Date.self), as: type)
    case .data:
      guard holds(.bytes) else { throw mismatch(type, "a run of bytes") }
      return identical(try read(Data.self), as: type)
    case .url:
      guard holds(.url) else { throw mismatch(type, "a URL") }
      return identical(try read(URL.self), as: type)
    case .uuid:
      guard holds(.uuid) else { throw mismatch(type, "a UUID") }
      return identical(try read(UUID.self), as: type)
    case .int128:
      guard value.scalar?.isInteger == true else { throw mismatch(type, "an integer") }
      return identical(try read(Int128.self), as: type)
    case .uint128:
      guard value.scalar?.isInteger == true else { throw mismatch(type, "an integer") }
      return identical(try read(UInt128.self), as: type)
    }
  }

  private func holds(_ tag: ArchiveTag) -> Bool { value.tag == tag && !value.isNil }

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
