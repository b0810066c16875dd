#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import KeepsakeArchive

// How stored values become the types of Swift: as the keyed coders read them, with the errors of
// Codable (Spec/archive.md, section 6).
extension NodeDecoder {
  func bool() throws -> Bool {
    guard case .bool(let stored) = value else { throw mismatch(Bool.self, "a truth value") }
    return stored
  }

  func string() throws -> String {
    guard case .string(let stored) = value else { throw mismatch(String.self, "a string") }
    return stored
  }

  /// An integer of any width that the stored value fits.
  func integer<Integer: FixedWidthInteger>() throws -> Integer {
    let fitting: Integer?
    switch value {
    case .signed(let stored, _): fitting = Integer(exactly: stored)
    case .unsigned(let stored, _): fitting = Integer(exactly: stored)
    default: throw mismatch(Integer.self, "an integer")
    }
    guard let fitting else {
      throw corrupted("The stored number \(value) does not fit the type \(Integer.self).")
    }
    return fitting
  }

  func double() throws -> Double {
    switch value {
    case .double(let stored): return stored
    case .float(let stored): return Double(stored)
    default: throw mismatch(Double.self, "a floating-point number")
    }
  }

  /// A number rounded to the nearest Float; one that is finite must stay so.
  func float() throws -> Float {
    if case .float(let stored) = value { return stored }
    guard case .double(let stored) = value else {
      throw mismatch(Float.self, "a floating-point number")
    }
    let rounded = Float(stored)
    guard rounded.isFinite || !stored.isFinite else {
      throw corrupted("The stored number \(stored) is too large for the type Float.")
    }
    return rounded
  }

  /// A value of a type that the archive has a kind of its own for; nil for any other type.
  func nativeValue<Native>(as type: Native.Type) throws -> Native? {
    if type == Date.self { return try date() as? Native }
    if type == Data.self { return try data() as? Native }
    if type == URL.self { return try url() as? Native }
    if type == UUID.self { return try identifier() as? Native }
    return nil
  }

  private func date() throws -> Date {
    guard case .date(let stored) = value else { throw mismatch(Date.self, "a date") }
    return Date(timeIntervalSinceReferenceDate: stored.secondsSinceReferenceDate)
  }

  private func data() throws -> Data {
    guard case .bytes(let stored) = value else { throw mismatch(Data.self, "a run of bytes") }
    return Data(stored)
  }

  private func url() throws -> URL {
    guard case .url(let stored) = value else { throw mismatch(URL.self, "a URL") }
    guard let url = URL(string: stored.string) else {
      throw corrupted("The stored text is not one that Foundation accepts as a URL.")
    }
    return url
  }

  private func identifier() throws -> UUID {
    guard case .uuid(let stored) = value else { throw mismatch(UUID.self, "a UUID") }
    return UUID(stored)
  }
}
