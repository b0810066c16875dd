#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import KeepsakeArchive

/// The data that all decoders of one call share, with the bytes that they read.
final class DecodingSession {
  private(set) var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  private var archive: Archive?
  /// The values for keys that the archive lacks; nil until the first miss.
  private var knownMissingKeys: MissingKeys?
  /// Records the requested keys; nil unless the caller wants to know which were not requested.
  private(set) var askedKeys: AskedKeys?
  private let readings = TypeTable<Reading>()

  func begin(
    _ userInfo: [CodingUserInfoKey: any Sendable], _ archive: Archive, _ missingKeys: MissingKeys?,
    _ askedKeys: AskedKeys?
  ) {
    self.userInfo = userInfo
    self.archive = archive
    knownMissingKeys = missingKeys
    self.askedKeys = askedKeys
  }

  /// The values for keys that the archive lacks; made at the first miss.
  var missingKeys: MissingKeys {
    if let knownMissingKeys { return knownMissingKeys }
    let missingKeys = MissingKeys()
    knownMissingKeys = missingKeys
    return missingKeys
  }

  /// Releases the archive, unless a type kept a decoder of it; false if the next call has to begin with a new session.
  func end() -> Bool {
    userInfo = [:]
    archive = nil
    knownMissingKeys = nil
    askedKeys = nil
    return readings.count <= 512
  }

  @inline(__always)
  func reading<Decoded: Decodable>(of type: Decoded.Type) -> Reading {
    readings.row(of: ObjectIdentifier(type)) { Reading(of: type) }
  }
}

/// How values of a type are read.
enum Reading {
  /// By the type's own `init(from:)`.
  case itself
  case text
  case texts
  case scalar(ScalarKind)
  case scalars(ScalarKind)
  case native(NativeKind)
  case half
  case decimal
  case optional(any StoredOptional.Type)
  case collection(any StoredCollection.Type)

  init<Decoded: Decodable>(of type: Decoded.Type) {
    if type == String.self {
      self = .text
    } else if let kind = ScalarKind(type) {
      self = .scalar(kind)
    } else if let kind = NativeKind(type) {
      self = .native(kind)
    } else if type == Decimal.self {
      self = .decimal
    } else if isHalf(type) {
      self = .half
    } else if isOptional(type), let optional = type as? any StoredOptional.Type {
      self = .optional(optional)
    } else if !isOneWord(type) {
      self = .itself
    } else if type == [String].self {
      self = .texts
    } else if let kind = ScalarKind(elementsOf: type) {
      self = .scalars(kind)
    } else if let collection = type as? any StoredCollection.Type {
      self = .collection(collection)
    } else {
      self = .itself
    }
  }
}

/// Whether a type is the floating-point number of 16 bits, which not all platforms have.
private func isHalf(_ type: Any.Type) -> Bool {
  #if (os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64)
    return false
  #else
    return type == Float16.self
  #endif
}
