#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import KeepsakeArchive

/// A value of a type that the archive has a kind of its own for, although the type's `Codable`
/// conformance would take it apart; nil for any other type.
///
/// The types are compared first, since a cast costs far more for the types that fail it.
func nativeValue<Value>(_ value: Value) -> (any ArchiveValue)? {
  if Value.self == Date.self { return value as? Date }
  if Value.self == Data.self { return value as? Data }
  if Value.self == URL.self { return value as? URL }
  if Value.self == UUID.self { return value as? UUID }
  return nil
}

/// A nil without a type.
var codedNil: any ArchiveValue { ArchivedValue.null }
