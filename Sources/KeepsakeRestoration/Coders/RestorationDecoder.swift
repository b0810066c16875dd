public import KeepsakeArchive

/// The coder that one object reads its state with, in a restore.
///
/// It reads what the matching object wrote, and no other. An absent key throws or gives `nil`, and
/// one bad key leaves the others readable. The reserved keys can be read through every coder.
@MainActor
public struct RestorationDecoder: ~Copyable {
  @usableFromInline let values: ObjectDecoder
  private let session: RestoreSession

  init(values: consuming ObjectDecoder, session: RestoreSession) {
    self.values = values
    self.session = session
  }

  /// The keys of this object in this scope, in the order of their bytes.
  public var keys: [ArchiveKey] { values.keys }

  /// The schema version of the object's type when it was saved.
  public var schemaVersion: UInt32 { values.schemaVersion }

  /// Returns whether a key was written, be it with a value or with none.
  ///
  /// - Parameter key: The key.
  /// - Returns: Whether it is there.
  public func contains(_ key: ArchiveKey) -> Bool {
    values.contains(key)
  }

  /// Reads the value of a key.
  ///
  /// - Parameters:
  ///   - type: The type to read; numbers convert when the value fits.
  ///   - key: The key.
  /// - Returns: The value.
  /// - Throws: `ArchiveError` when the key is absent, or its value is of another type or damaged.
  @inlinable
  @inline(__always)
  public func decode<T: ArchiveValue>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> T {
    try values.decode(type, forKey: key)
  }

  /// Reads the value of a key that may be absent.
  ///
  /// - Parameters:
  ///   - type: The type to read; numbers convert when the value fits.
  ///   - key: The key.
  /// - Returns: The value, or `nil` when the key is absent or has no value.
  /// - Throws: `ArchiveError` when the value is of another type or damaged.
  @inlinable
  @inline(__always)
  public func decodeIfPresent<T: ArchiveValue>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> T? {
    try values.decodeIfPresent(type, forKey: key)
  }

  /// Confirms that a base class's implementation was reached; only base classes call this.
  ///
  /// See ``RestorableObject/requiresSuperclassCall``.
  public func confirmSuperclassCall() {
    session.isSuperclassCallConfirmed = true
  }

  /// Finds the object that a reference leads to.
  ///
  /// - Parameters:
  ///   - type: The type that the object must have.
  ///   - key: The key.
  /// - Returns: The one instance that all references to the object lead to, or `nil` when the key is
  ///   absent, there was no object, or it was not restored. While nodes are still being made, an
  ///   object that has not been made yet is `nil`.
  /// - Throws: ``RestorationError`` when the key holds no reference, or one to another type.
  public func decodeReference<T>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(RestorationError) -> T? {
    let reference = try read(ArchiveReference.self, forKey: key)
    return try resolve(reference, as: type, forKey: key)
  }

  /// Finds the objects that an array of references leads to.
  ///
  /// - Parameters:
  ///   - type: The type that the objects must have.
  ///   - key: The key.
  /// - Returns: The objects that were restored, in their order; empty when the key is absent.
  /// - Throws: ``RestorationError`` when the key holds no references, or one to another type.
  public func decodeReferences<T>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(RestorationError) -> [T] {
    var objects: [T] = []
    for reference in try read([ArchiveReference].self, forKey: key) ?? [] {
      if let object = try resolve(reference, as: type, forKey: key) { objects.append(object) }
    }
    return objects
  }

  /// Finds the objects that a dictionary of references leads to.
  ///
  /// - Parameters:
  ///   - type: The type that the objects must have.
  ///   - key: The key.
  /// - Returns: The objects that were restored, by their names; empty when the key is absent.
  /// - Throws: ``RestorationError`` when the key holds no named references, or one to another type.
  public func decodeNamedReferences<T>(
    _ type: T.Type = T.self, forKey key: ArchiveKey
  ) throws(RestorationError) -> [String: T] {
    var objects: [String: T] = [:]
    for (name, reference) in try read([String: ArchiveReference].self, forKey: key) ?? [:] {
      objects[name] = try resolve(reference, as: type, forKey: key)
    }
    return objects
  }

  /// Opens a named scope of this object.
  ///
  /// - Parameter name: The name that the scope was written under.
  /// - Returns: A coder over the scope; empty when it was never written.
  public func scope(_ name: String) -> RestorationDecoder {
    RestorationDecoder(values: values.scope(name), session: session)
  }

  private func read<T: ArchiveValue>(
    _ type: T.Type, forKey key: ArchiveKey
  ) throws(RestorationError) -> T? {
    do {
      return try decodeIfPresent(type, forKey: key)
    } catch {
      throw RestorationError(.malformedRecord, error.description)
    }
  }

  private func resolve<T>(
    _ reference: ArchiveReference?, as type: T.Type, forKey key: ArchiveKey
  ) throws(RestorationError) -> T? {
    guard let id = reference?.objectID, let object = session.object(for: id) else { return nil }
    guard let typed = object as? T else {
      throw RestorationError(
        .typeMismatch,
        "The key \"\(key.name)\" refers to a \(Swift.type(of: object).restorationTypeName), not to a "
          + "\(T.self); ask for the type that was encoded.")
    }
    return typed
  }
}
