#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import KeepsakeArchive

/// How stored values become the types of Swift: as the keyed coders read them, with the errors of
/// Codable (Spec/archive.md, section 6).
struct ValueReader {
  let value: StoredValue
  /// The decoder of the value, or of the container that it lies in under `key`.
  let decoder: NodeDecoder
  let key: (any CodingKey)?

  private var codingPath: [any CodingKey] {
    decoder.codingPath + (key.map { [$0] } ?? [])
  }

  func bool() throws -> Bool {
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

  func double() throws -> Double {
    guard isFloatingPoint else { throw mismatch(Double.self, "a floating-point number") }
    return try read(Double.self)
  }

  /// A number rounded to the nearest Float; one that is finite must stay so.
  func float() throws -> Float {
    guard isFloatingPoint else { throw mismatch(Float.self, "a floating-point number") }
    return try read(Float.self)
  }

  private var isFloatingPoint: Bool {
    !value.isNil && (value.tag == .double || value.tag == .float || value.tag == .float16)
  }

  /// A value of a type that the archive has a kind of its own for; nil for any other type.
  func native<Native>(_ type: Native.Type) throws -> Native? {
    if type == Date.self {
      guard holds(.date) else { throw mismatch(Date.self, "a date") }
      return try read(Date.self) as? Native
    }
    if type == Data.self {
      guard holds(.bytes) else { throw mismatch(Data.self, "a run of bytes") }
      return try read(Data.self) as? Native
    }
    if type == URL.self {
      guard holds(.url) else { throw mismatch(URL.self, "a URL") }
      return try read(URL.self) as? Native
    }
    if type == UUID.self {
      guard holds(.uuid) else { throw mismatch(UUID.self, "a UUID") }
      return try read(UUID.self) as? Native
    }
    if type == Int128.self {
      guard value.scalar?.isInteger == true else { throw mismatch(type, "an integer") }
      return try read(Int128.self) as? Native
    }
    if type == UInt128.self {
      guard value.scalar?.isInteger == true else { throw mismatch(type, "an integer") }
      return try read(UInt128.self) as? Native
    }
    return nil
  }

  private func holds(_ tag: ArchiveTag) -> Bool { value.tag == tag && !value.isNil }

  private func read<Native: ArchiveValue>(_ type: Native.Type) throws -> Native {
    do {
      return try value.read(type)
    } catch {
      throw damaged(error)
    }
  }

  /// What a body opens of the value.
  func opened<Content>(
    _ body: (StoredValue) throws(ArchiveError) -> Content
  ) throws -> Content {
    do {
      return try body(value)
    } catch {
      throw damaged(error)
    }
  }

  /// The error for a value of another kind than the one asked for.
  func mismatch(_ type: Any.Type, _ expected: String) -> DecodingError {
    let stored = value.isNil ? ArchiveTag.null : value.tag
    let context = DecodingError.Context(
      codingPath: codingPath,
      debugDescription: "The archive holds \(stored) where \(expected) is expected.")
    return value.isNil ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// The error for bytes that contradict the format, or a value that its type does not allow.
  func damaged(_ error: ArchiveError) -> DecodingError { corrupted(error.description, error) }

  func corrupted(
    _ description: String, _ underlying: (any Error)? = nil
  ) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath, debugDescription: description, underlyingError: underlying))
  }
}
