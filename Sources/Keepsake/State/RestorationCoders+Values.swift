public import KeepsakeArchive
import KeepsakeCodable
public import KeepsakeRestoration

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// `Codable` values and graphs of objects: each is stored as an archive of its own, under one key.

extension RestorationEncoder {
  /// Writes a `Codable` value under a key.
  ///
  /// Use it for values that are `Codable` anyway; values written by `encode(_:forKey:)` are smaller and faster.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - key: The key, unique within this object's scope.
  /// - Throws: Any error of the value's own `encode(to:)`, and `EncodingError`; nothing is written then.
  public mutating func encodeEncodable(_ value: some Encodable, forKey key: ArchiveKey) throws {
    encode(try ArchiveEncoder().encode(value), forKey: key)
  }

  /// Writes an object under a key, with all objects that it refers to, at any depth; shared objects stay shared, and
  /// cycles are kept.
  ///
  /// The objects belong to this key: two keys for one object give two copies of it.
  ///
  /// - Parameters:
  ///   - root: The object to start from.
  ///   - key: The key, unique within this object's scope.
  /// - Throws: `ArchiveError` when an object writes a value that cannot be stored; nothing is written then.
  public mutating func encodeGraph(_ root: some ArchiveObject, forKey key: ArchiveKey) throws {
    encode(ArchiveBytes(try Archive.encode(root)), forKey: key)
  }
}

extension RestorationDecoder {
  /// Reads a `Codable` value that ``RestorationEncoder/encodeEncodable(_:forKey:)`` wrote.
  ///
  /// - Parameters:
  ///   - type: The type to read.
  ///   - key: The key.
  /// - Returns: The value.
  /// - Throws: `ArchiveError` when the key is absent or holds no archive, `DecodingError`, and any error of the
  ///   type's own `init(from:)`.
  public func decodeDecodable<Value: Decodable>(
    _ type: Value.Type = Value.self, forKey key: ArchiveKey
  ) throws -> Value {
    try ArchiveDecoder().decode(type, from: decode(Data.self, forKey: key))
  }

  /// Reads an object that ``RestorationEncoder/encodeGraph(_:forKey:)`` wrote, with all objects that it refers to.
  ///
  /// - Parameters:
  ///   - type: The type that the root must have.
  ///   - key: The key.
  ///   - registry: The types that may be made.
  /// - Returns: The root, when every object is filled.
  /// - Throws: `ArchiveError` when the key is absent, or a type is not registered or not allowed where it is; also
  ///   any error of the types' own initializers.
  public func decodeGraph<Root: ArchiveObject>(
    _ type: Root.Type = Root.self, forKey key: ArchiveKey, registry: TypeRegistry
  ) throws -> Root {
    let bytes = try decode(ArchiveBytes.self, forKey: key).bytes
    return try Archive(bytes).decodeRoot(type, registry: registry)
  }
}

// Saved properties of types that are only `Codable`.

extension Saved where Value: Codable {
  /// Creates a property of a `Codable` type.
  ///
  /// A type that an archive stores directly, or by its raw value, uses another initializer, which is smaller and
  /// faster.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value where none was saved.
  ///   - key: The key; by default the name of the property.
  ///   - file: The file of the declaration, for reports.
  ///   - line: The line of the declaration, for reports.
  @_disfavoredOverload
  public convenience init(
    wrappedValue: Value, _ key: String? = nil, file: String = #fileID, line: Int = #line
  ) {
    self.init(
      wrappedValue, key: key, file: file, line: line,
      write: { value, coder, key in try coder.encodeEncodable(value, forKey: key) },
      read: { coder, key in try coder.decodeDecodable(Value.self, forKey: key) })
  }
}

extension Saved where Value: Codable & RawRepresentable, Value.RawValue: ArchiveValue {
  /// Creates a property of a `Codable` enumeration, which is stored by its raw value.
  @_disfavoredOverload
  public convenience init(
    wrappedValue: Value, _ key: String? = nil, file: String = #fileID, line: Int = #line
  ) {
    self.init(byRawValue: wrappedValue, key: key, file: file, line: line)
  }
}
