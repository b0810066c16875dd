#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import KeepsakeArchive

extension ArchivedValue {
  /// A value of a type that the archive has a kind of its own for, although the type's `Codable`
  /// conformance would take it apart; nil for any other type.
  ///
  /// The types are compared first, since a cast costs far more for the types that fail it.
  init?<Value>(native value: Value) {
    if Value.self == Date.self, let date = value as? Date {
      self = .date(ArchiveDate(date))
    } else if Value.self == Data.self, let data = value as? Data {
      self = .bytes(Array(data))
    } else if Value.self == URL.self, let url = value as? URL {
      self = .url(ArchiveURL(url.absoluteString))
    } else if Value.self == UUID.self, let uuid = (value as? UUID).flatMap(ArchiveUUID.init) {
      self = .uuid(uuid)
    } else {
      return nil
    }
  }
}
