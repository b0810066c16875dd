#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import KeepsakeArchive

extension StagedValue {
  /// A value of a type that the archive has a kind of its own for, although the type's `Codable`
  /// conformance would take it apart; nil for any other type.
  ///
  /// The types are compared first, since a cast costs far more for the types that fail it.
  init?<Value>(native value: Value) {
    if Value.self == Date.self, let date = value as? Date {
      self = .word(date.timeIntervalSinceReferenceDate.bitPattern, 0, .date)
    } else if Value.self == Data.self, let data = value as? Data {
      self = .bytes(Array(data))
    } else if Value.self == URL.self, let url = value as? URL {
      self = .text(url.absoluteString, .url)
    } else if Value.self == UUID.self, let identifier = value as? UUID {
      self = StagedValue(identifier)
    } else if Value.self == Int128.self, let integer = value as? Int128 {
      self = StagedValue(UInt128(truncatingIfNeeded: integer), .int128)
    } else if Value.self == UInt128.self, let integer = value as? UInt128 {
      self = StagedValue(integer, .uint128)
    } else {
      return nil
    }
  }

  /// What all values of a type are stored as, nil where the type alone does not say it.
  static func nativeTag<Value>(of type: Value.Type) -> ArchiveTag? {
    if type == Date.self { return .date }
    if type == Data.self { return .bytes }
    if type == URL.self { return .url }
    if type == UUID.self { return .uuid }
    if type == Int128.self { return .int128 }
    if type == UInt128.self { return .uint128 }
    return type is any ArrayOfValues.Type ? .array : nil
  }

  private init(_ bits: UInt128, _ tag: ArchiveTag) {
    self = .word(UInt64(truncatingIfNeeded: bits), UInt64(truncatingIfNeeded: bits >> 64), tag)
  }

  /// The bytes of an identifier, the first of them in the lowest bits.
  private init(_ identifier: UUID) {
    let u = identifier.uuid
    let bytes = [
      u.15, u.14, u.13, u.12, u.11, u.10, u.9, u.8, u.7, u.6, u.5, u.4, u.3, u.2, u.1, u.0,
    ]
    self.init(bytes.reduce(0) { $0 << 8 | UInt128($1) }, .uuid)
  }
}

/// An array, whatever its elements are.
private protocol ArrayOfValues {}

extension Array: ArrayOfValues {}
