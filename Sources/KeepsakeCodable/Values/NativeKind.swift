#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import KeepsakeArchive

/// The types for which the archive has its own kinds of value, and which are not stored through their `Codable`
/// conformances.
enum NativeKind {
  case date, data, url, uuid, int128, uint128

  /// The kind of a type, nil for any other type.
  init?(_ type: Any.Type) {
    if type == Date.self {
      self = .date
    } else if type == Data.self {
      self = .data
    } else if type == URL.self {
      self = .url
    } else if type == UUID.self {
      self = .uuid
    } else if type == Int128.self {
      self = .int128
    } else if type == UInt128.self {
      self = .uint128
    } else {
      return nil
    }
  }
}

extension NativeKind {
  var tag: ArchiveTag {
    switch self {
    case .date: .date
    case .data: .bytes
    case .url: .url
    case .uuid: .uuid
    case .int128: .int128
    case .uint128: .uint128
    }
  }
}
