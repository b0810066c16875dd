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
  /// The sizes of collections, of a `Float16` and of a `Decimal`.
  private static let sizes = [Reading.collectionSize, 2, MemoryLayout<Decimal>.size]

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
    readings.row(of: ObjectIdentifier(type)) { Reading(of: type, sizes: Self.sizes) }
  }
}

typealias Reading = LibraryForm<any LibraryDecodable.Type>
