#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import KeepsakeArchive

/// The data that all decoders of one call share, with the bytes that they read.
final class DecodingSession {
  /// The data of one call, which its caller gives.
  struct Call {
    var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    var archive: Archive?
    /// The values for keys that the archive lacks; nil until the first miss.
    var missingKeys: MissingKeys?
    /// Notes the keys that are asked for; nil unless the caller wants to know which were not.
    var askedKeys: AskedKeys?
  }

  var call = Call()
  private let readings = TypeTable<Reading>()

  /// The values for keys that the archive lacks; made at the first miss.
  var missingKeys: MissingKeys {
    let missingKeys = call.missingKeys ?? MissingKeys()
    call.missingKeys = missingKeys
    return missingKeys
  }

  /// Releases the archive, unless a type kept a decoder of it; false if the next call has to begin with a new session.
  func end() -> Bool {
    call = Call()
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
  case scalar(any CodableScalar.Type)
  /// An array of numbers or truth values.
  case row(any CodableScalar.Type)
  case native(any NativeValue.Type)
  case half
  case decimal
  case optional(any StoredOptional.Type)
  case collection(any StoredCollection.Type)

  init<Decoded: Decodable>(of type: Decoded.Type) {
    if type == String.self {
      self = .text
    } else if let kind = scalarKind(type) {
      self = .scalar(kind)
    } else if let kind = nativeKind(type) {
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
    } else if let kind = scalarKind(elementsOf: type) {
      self = .row(kind)
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
