#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import KeepsakeArchive
import KeepsakeDocuments

/// Encodes `Codable` types as archives, like `JSONEncoder` or `PropertyListEncoder`.
///
/// Use it for types that are already `Codable`. Types that share objects, or refer to each other in cycles, need the
/// keyed coders of KeepsakeArchive, which are also faster.
///
/// ```swift
/// let data = try ArchiveEncoder().encode(settings)
/// let settings = try ArchiveDecoder().decode(
///   Settings.self, from: data)
/// ```
///
/// Keys are sorted by their bytes, and so are the members of a `Set` and the entries of a `Dictionary`, which are
/// stored as sets and dictionaries: equal values make equal archives in every process. `Date`, `UUID`, `URL` and
/// `Data` have their own kinds in the archive. The layout is in Spec/archive.md.
public struct ArchiveEncoder: Sendable {
  /// The user info that the encoded types can read from their encoder.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// The archive's facts about itself: its program, its time and its interface.
  public var reserved = ReservedValues()

  /// The limits of an archive; the decoder must allow as much.
  public var limits = ArchiveLimits()

  /// Makes an encoder with the default limits.
  public init() {}

  /// Encodes a value as the bytes of an archive.
  ///
  /// - Throws: `EncodingError` when a type encodes something that an archive cannot hold; any error of a type's own
  ///   `encode(to:)`.
  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    // An error of a type's own `encode(to:)` is thrown unchanged, even if it is an `ArchiveError`.
    var thrown: (any Error)?
    do {
      var level = EncodingLevel.begin(userInfo, limits)
      defer { EncodingLevel.end(&level) }
      let writer = try level.assembler.writeObject(
        by: ArchiveWriter(reserved: reserved, limits: limits),
        typeName: CodableArchive.typeName, forKey: CodableArchive.rootKey
      ) {
        do {
          try level.session.encode(value, at: level)
        } catch {
          thrown = error
          throw error
        }
      }
      return Data(try Self.bytes(of: writer, limits))
    } catch {
      if let thrown { throw thrown }
      guard let error = error as? ArchiveError else { throw error }
      throw EncodingError.invalidValue(
        value,
        EncodingError.Context(
          codingPath: [], debugDescription: error.contextDescription, underlyingError: error))
    }
  }

  /// Completes an archive.
  ///
  /// Shapes are numbered by their first use among the bytes (Spec/archive.md, section 4). If the records ended in
  /// another order, the archive is written again.
  private static func bytes(
    of writer: consuming ArchiveWriter, _ limits: ArchiveLimits
  ) throws(ArchiveError) -> [UInt8] {
    let hasShapesOutOfOrder = writer.hasShapesOutOfOrder
    let bytes = try writer.finish(root: ArchiveObjectID(1))
    if !hasShapesOutOfOrder { return bytes }
    return try ArchiveDocument(Archive(bytes, limits: limits)).encoded(
      order: .stored, limits: limits)
  }
}

/// The layout of a `Codable` value in an archive: one root object with the value under one key.
package enum CodableArchive {
  /// The type name of the root object; no type of an app's registry has this name.
  package static let typeName = "Codable"

  package static let rootKey: ArchiveKey = "value"
}

extension ArchiveError {
  /// The description for the context of an `EncodingError` with this underlying error, without its full stop, which
  /// the standard library adds.
  var contextDescription: String {
    String(description.hasSuffix(".") ? description.dropLast() : description[...])
  }
}
