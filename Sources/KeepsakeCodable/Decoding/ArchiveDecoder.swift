#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import KeepsakeArchive

/// Decodes `Codable` types from archives that an ``ArchiveEncoder`` wrote.
///
/// A number is read as any type that it fits. An integer that is too large, an absent key and a value of another kind
/// each throw a `DecodingError` with the coding path; none is read as zero. The bytes need not be trusted: no input
/// makes the decoder trap.
public struct ArchiveDecoder: Sendable {
  /// The values that the types being decoded can read from their decoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// The limits that an archive must keep.
  public var limits = ArchiveLimits()

  /// Makes a decoder with the default limits.
  public init() {}

  /// Decodes a value from an archive, as ``ArchiveEncoder/encode(_:)`` made it.
  ///
  /// - Throws: `DecodingError` when the bytes are not an archive of an ``ArchiveEncoder`` or hold no value of the
  ///   type; an `ArchiveError` is the underlying error when the archive is malformed. Any other error that
  ///   `init(from:)` of a type throws.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try decode(type, from: Array(data))
  }

  /// Decodes a value from the bytes of an archive; it throws as the form that takes a `Data` does.
  public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try decode(type, from: bytes, completedBy: nil)
  }

  /// Decodes a value; for an absent key, takes the value at the same path of `whole`, or a default of its type
  /// (``ValueWithDefaults``).
  package func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8], completedBy whole: (any Encodable)?
  ) throws -> Value {
    try decode(type, of: open(bytes), completedBy: whole, noting: nil)
  }

  /// Decodes a value as the other form does, and calls a closure with the keys that types asked for, and with the
  /// stored value, which must not leave the closure.
  package func decode<Value: Decodable, Result>(
    _ type: Value.Type, from bytes: [UInt8], completedBy whole: (any Encodable)?,
    asking body: (AskedKeys, ValueView) -> Result
  ) throws -> (value: Value, result: Result) {
    let archive = try open(bytes)
    defer { withExtendedLifetime(archive) {} }
    let askedKeys = AskedKeys()
    let value = try decode(type, of: archive, completedBy: whole, noting: askedKeys)
    return (value, body(askedKeys, try root(of: archive)))
  }

  private func decode<Value: Decodable>(
    _ type: Value.Type, of archive: Archive, completedBy whole: (any Encodable)?,
    noting askedKeys: AskedKeys?
  ) throws -> Value {
    var missingKeys = whole.map { MissingKeys(whole: $0) }
    while true {
      var level = DecodingLevel.begin(
        .init(
          userInfo: userInfo, archive: archive, missingKeys: missingKeys, askedKeys: askedKeys))
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
