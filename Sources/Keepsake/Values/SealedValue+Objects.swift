public import KeepsakeArchive
public import KeepsakeFiles

// Objects with identity: a document of objects that refer to each other is saved by its root.
extension SealedValue {
  /// Saves an object with all objects that it refers to, at any depth.
  ///
  /// - Parameters:
  ///   - object: The root of the objects.
  ///   - path: The file, as a path or a `URL`, in an existing directory; an existing file is replaced.
  ///   - key: The keys that will open the file.
  ///   - limits: The maximum size of the archive, and of the nesting of values in one object: by default 64 levels.
  /// - Throws: ``KeepsakeError``: `valueNotStorable` when an object cannot be stored, the codes of keys, and
  ///   `storeUnavailable`.
  public static func save(
    _ object: some ArchiveObject, to path: some FilePathConvertible, for key: SealedValueKey,
    limits: ArchiveLimits = .init()
  ) throws(KeepsakeError) {
    try write(encoded(object: object, limits), to: path.filePath, for: key)
  }

  /// Saves an object with all objects that it refers to, as the synchronous overload does.
  ///
  /// The objects are encoded before the first suspension; another thread seals and writes them.
  nonisolated(nonsending) public static func save(
    _ object: some ArchiveObject, to path: some FilePathConvertible, for key: SealedValueKey,
    limits: ArchiveLimits = .init()
  ) async throws(KeepsakeError) {
    let path = path.filePath
    let archive = try encoded(object: object, limits)
    try await onQueue { () throws(KeepsakeError) in try write(archive, to: path, for: key) }
  }

  /// Loads an object with all objects that it refers to, at any depth.
  ///
  /// - Parameters:
  ///   - type: The type of the root, which needs no registration.
  ///   - path: The file, as a path or a `URL`.
  ///   - key: A key that opens the file.
  ///   - registry: The types of the other objects.
  ///   - limits: The maximum size of the archive, and of the nesting of values in one object; nil allows 512 levels,
  ///     as far as the stack of the thread has room for them, and the defaults otherwise.
  /// - Returns: The root, when every object is filled.
  /// - Throws: ``KeepsakeError``: `valueAbsent` when the file does not exist, `keyWrong` and the other codes of keys,
  ///   `damaged`, `valueUnreadable` when the file holds no such object or names a type that is not registered, and
  ///   `storeUnavailable`.
  public static func load<Object: ArchiveObject>(
    _ type: Object.Type = Object.self, from path: some FilePathConvertible,
    with key: SealedValueKey,
    registry: TypeRegistry = TypeRegistry(), limits: ArchiveLimits? = nil
  ) throws(KeepsakeError) -> Object {
    let path = path.filePath
    return try decoded(
      object: type, read(path, with: key), registry, limits ?? readingLimits, path)
  }

  /// Loads an object with all objects that it refers to, as the synchronous overload does; another thread reads and
  /// opens the file.
  nonisolated(nonsending) public static func load<Object: ArchiveObject>(
    _ type: Object.Type = Object.self, from path: some FilePathConvertible,
    with key: SealedValueKey,
    registry: TypeRegistry = TypeRegistry(), limits: ArchiveLimits? = nil
  ) async throws(KeepsakeError) -> Object {
    let path = path.filePath
    let archive = try await onQueue { () throws(KeepsakeError) in try read(path, with: key) }
    return try decoded(object: type, archive, registry, limits ?? readingLimits, path)
  }

  private static func encoded(
    object: some ArchiveObject, _ limits: ArchiveLimits
  ) throws(KeepsakeError) -> [UInt8] {
    do {
      return try Archive.encode(object, limits: limits)
    } catch {
      throw notStorable(error)
    }
  }

  private static func decoded<Object: ArchiveObject>(
    object type: Object.Type, _ archive: [UInt8], _ registry: TypeRegistry, _ limits: ArchiveLimits,
    _ path: String
  ) throws(KeepsakeError) -> Object {
    do {
      var registry = registry
      try registry.register(type)
      return try Archive(archive, limits: limits).decodeRoot(type, registry: registry)
    } catch {
      throw unreadable(type, path, error)
    }
  }
}
