public import KeepsakeArchive
public import KeepsakeRestoration

// Saved properties of types that are `Codable` and nothing else that an archive stores by itself.

extension Saved where Value: Codable {
  /// Creates a property of a `Codable` type.
  ///
  /// A type that an archive stores by itself, or by its raw value, is stored so: that is smaller and quicker.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value where none was saved.
  ///   - key: The key; by default the name of the property.
  ///   - file: The file of the declaration, for reports.
  @_disfavoredOverload
  public convenience init(wrappedValue: Value, _ key: String? = nil, file: String = #fileID) {
    self.init(
      wrappedValue, key: key, file: file,
      write: { value, coder, key in try coder.encodeEncodable(value, forKey: key) },
      read: { coder, key in try coder.decodeDecodable(Value.self, forKey: key) })
  }
}

extension Saved where Value: Codable & RawRepresentable, Value.RawValue: ArchiveValue {
  /// Creates a property of a `Codable` enumeration, which is stored by its raw value.
  ///
  /// - Parameters:
  ///   - wrappedValue: The value where none was saved.
  ///   - key: The key; by default the name of the property.
  ///   - file: The file of the declaration, for reports.
  @_disfavoredOverload
  public convenience init(wrappedValue: Value, _ key: String? = nil, file: String = #fileID) {
    self.init(byRawValue: wrappedValue, key: key, file: file)
  }
}
