#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import KeepsakeArchive

/// Encodes `Codable` types as archives, in the place of `JSONEncoder` or `PropertyListEncoder`.
///
/// Use it for types that are `Codable` already. Types that share objects or refer to each other in
/// cycles need the keyed coders of KeepsakeArchive, which are faster too.
///
/// ```swift
/// let data = try ArchiveEncoder().encode(settings)
/// let settings = try ArchiveDecoder().decode(Settings.self, from: data)
/// ```
///
/// Keys are sorted by their bytes, and so are the members of a `Set` and the entries of a `Dictionary`, which
/// are sets and dictionaries of the archive: equal values make equal archives in every process. `Date`, `UUID`, `URL` and `Data` are stored as kinds
/// of their own. The layout is stated in Spec/archive.md.
public struct ArchiveEncoder: Sendable {
  /// What the types being encoded can read from their encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// What the archive says about itself: who wrote it, when, and for which interface.
  public var reserved = ReservedValues()

  /// How much an archive may hold; the decoder must allow as much.
  public var limits = ArchiveLimits.default

  /// Makes an encoder with the default limits.
  public init() {}

  /// Encodes a value as the bytes of an archive.
  ///
  /// - Parameter value: The value.
  /// - Returns: The archive.
  /// - Throws: `EncodingError` when a type asks for what the archive cannot hold, and any error that
  ///   a type's own `encode(to:)` throws.
  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    // An error of a type's own goes through as it is, even if it is one of the archive's.
    var thrown: (any Error)?
    do {
      var writer = ArchiveWriter(reserved: reserved, limits: limits)
      var level = EncodingLevel.begin(userInfo, limits)
      defer { EncodingLevel.end(&level) }
      try writer.assembleObject(
        ArchiveObjectID(1), typeName: CodableArchive.typeName, forKey: CodableArchive.rootKey,
        by: level.assembler
      ) {
        do {
          try level.session.encode(value, at: level)
        } catch {
          thrown = error
          throw error
        }
      }
      return Data(try writer.finish(root: ArchiveObjectID(1)))
    } catch {
      if let thrown { throw thrown }
      guard let error = error as? ArchiveError else { throw error }
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: [], debugDescription: error.contextDescription, underlyingError: error))
    }
  }
}

/// How a `Codable` value lies in an archive: one root object with the value under one key.
package enum CodableArchive {
  /// The type name of the root object; no type of an app's registry is named so.
  package static let typeName = "Codable"

  package static let rootKey: ArchiveKey = "value"
}

extension ArchiveError {
  /// The description for the context of an error with this one below it: the standard library puts a full stop
  /// between the two.
  var contextDescription: String {
    String(description.hasSuffix(".") ? description.dropLast() : description[...])
  }
}
