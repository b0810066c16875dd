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
      self = .native(date)
    } else if Value.self == Data.self, let data = value as? Data {
      self = .native(data)
    } else if Value.self == URL.self, let url = value as? URL {
      self = .native(url)
    } else if Value.self == UUID.self, let identifier = value as? UUID {
      self = .native(identifier)
    } else if Value.self == Int128.self, let integer = value as? Int128 {
      self = .native(integer)
    } else if Value.self == UInt128.self, let integer = value as? UInt128 {
      self = .native(integer)
    } else {
      return nil
    }
  }
}
