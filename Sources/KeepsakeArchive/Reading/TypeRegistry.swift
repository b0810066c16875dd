/// The types that an archive may name.
///
/// A type is found only here, by the stable name that it gives itself; nothing in an archive leads
/// to a look-up at run time. A type that is not registered cannot be decoded, however it is
/// referred to.
public struct TypeRegistry: Sendable {
  private var types: [ArchiveKey: any ArchiveObject.Type] = [:]

  /// Makes an empty registry.
  public init() {}

  /// Adds a type under its own name, or under one that it had in the past or in another program.
  ///
  /// Adding it again changes nothing.
  ///
  /// - Throws: ``ArchiveError`` when another type has the name, or the name is empty.
  public mutating func register<T: ArchiveObject>(
    _ type: T.Type, named name: String = T.archiveTypeName
  ) throws(ArchiveError) {
    guard !name.isEmpty else {
      throw ArchiveError(.invalidTypeName, "the type \(T.self) has an empty archive name")
    }
    if let known = types[ArchiveKey(name)], known != type {
      throw ArchiveError(
        .duplicateType, "the types \(known) and \(T.self) have one archive name, \"\(name)\"")
    }
    types[ArchiveKey(name)] = type
  }

  /// The names of all registered types, sorted by their bytes.
  package var typeNames: [String] {
    types.keys.map(\.name).sorted { $0.bytesPrecede($1) }
  }

  func type(named name: String) -> (any ArchiveObject.Type)? { types[ArchiveKey(name)] }
}
