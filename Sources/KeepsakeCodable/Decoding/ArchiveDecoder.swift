#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import KeepsakeArchive

/// Decodes `Codable` types from archives that an ``ArchiveEncoder`` wrote.
///
/// Numbers are read as any type that they fit, and never as a silent zero: an integer that is too
/// large, a key that is absent and a value of another kind are each a `DecodingError` with its
/// coding path. The bytes may come from anybody; no input makes the decoder trap.
public struct ArchiveDecoder: Sendable {
  /// The values that the types being decoded can read from their decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// How much an archive may ask for.
  public var limits = ArchiveLimits.default

  /// Makes a decoder with the default limits.
  public init() {}

  /// Decodes a value from the bytes of an archive.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - data: The archive, as ``ArchiveEncoder/encode(_:)`` made it.
  /// - Returns: The value.
  /// - Throws: `DecodingError` when the bytes are no such archive (an `ArchiveError` is then the
  ///   underlying error) or hold no value of the type, and any error that a type's own
  ///   `init(from:)` throws.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try decode(type, from: Array(data))
  }

  /// Decodes a value from the bytes of an archive.
  ///
  /// - Parameters:
  ///   - type: The type to decode.
  ///   - bytes: The archive, as ``ArchiveEncoder/encode(_:)`` made it.
  /// - Returns: The value.
  /// - Throws: As the form that takes a `Data` does.
  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try decode(type, from: bytes, completedBy: nil)
  }

  /// Decodes a value, and takes the values of keys that are absent from a default of the whole, by their paths, or from
  /// those of the types (``ValueWithDefaults``).
  package func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8], completedBy whole: (any Encodable)?
  ) throws -> Value {
    let archive = try open(bytes)
    var missingKeys = whole.map { MissingKeys(whole: $0) }
    while true {
      var level = DecodingLevel.begin(userInfo, archive, missingKeys)
      defer { DecodingLevel.end(&level) }
      do {
        return try level.decoder(of: root(of: archive)).decode(type)
      } catch DecodingError.keyNotFound(let key, let context) {
        missingKeys = level.session.missingKeys
        guard missingKeys?.take(key, at: context.codingPath) == true else {
          throw DecodingError.keyNotFound(key, context)
        }
      }
    }
  }

  private func open(_ bytes: [UInt8]) throws -> Archive {
    do {
      return try Archive(bytes, limits: limits)
    } catch {
      throw corrupted(error.contextDescription, error)
    }
  }

  private func root(of archive: Archive) throws -> ValueView {
    do {
      let root = try archive.object(archive.rootID)
      guard root.typeName == CodableArchive.typeName,
        let value = root.storedValue(forKey: CodableArchive.rootKey.name)
      else {
        throw corrupted(
          "The archive was not written by an ArchiveEncoder: its root is a "
            + "\(root.typeName.displayed).")
      }
      return value
    } catch let error as ArchiveError {
      throw corrupted(error.contextDescription, error)
    }
  }

  private func corrupted(_ description: String, _ cause: ArchiveError? = nil) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(codingPath: [], debugDescription: description, underlyingError: cause))
  }
}
