/// A class whose instances are stored with their identity: shared objects stay shared, equal ones
/// stay distinct, cycles close.
///
/// Reading takes two phases. First each object is made as a shell, by ``init(forArchive:)``, which
/// may read the object's own values but no other object. When all that it refers to exists as a
/// shell, ``decode(from:)`` fills it. So a reference may lead to an object that is still a shell;
/// keep it, and do not use it before the whole graph is handed out.
///
/// Objects are visited one after the other and never by recursion, so a list of a million nodes
/// needs no deep stack. Classes that hold such a graph should also release it iteratively.
public protocol ArchivableObject: AnyObject, SendableMetatype {
  /// The stable name that the type is registered and stored under; not empty.
  static var archiveTypeName: String { get }

  /// The version of the type's set of keys, 0 by default.
  static var archiveSchemaVersion: UInt32 { get }

  /// The name of the template that the object was made from, nil by default.
  ///
  /// It is stored under the reserved key ``ArchiveKey/template``, where a decoder of the object reads
  /// it.
  var archiveTemplate: String? { get }

  /// Writes the object's values.
  ///
  /// - Parameter coder: A coder whose keys are this object's own.
  func encode(with coder: inout ObjectEncoder)

  /// Makes the shell of an object that is being read.
  ///
  /// - Parameter coder: The object's own values; reading another object here throws.
  /// - Throws: ``ArchiveError``, or an error of the type's own, when the values are not as expected.
  init(forArchive coder: borrowing ObjectDecoder) throws

  /// Fills the shell.
  ///
  /// When the graph cannot be read to its end, this is called once more for each object, and every
  /// reference is then one to no object: what is assigned here takes the place of what was assigned
  /// before, and objects that nobody gets do not keep each other in memory.
  ///
  /// - Parameter coder: The object's values; other objects are found as shells or filled.
  /// - Throws: ``ArchiveError``, or an error of the type's own, when the values are not as expected.
  func decode(from coder: borrowing ObjectDecoder) throws
}

extension ArchivableObject {
  /// The first version.
  public static var archiveSchemaVersion: UInt32 { 0 }

  /// No template.
  public var archiveTemplate: String? { nil }

  /// Reads nothing more: for classes whose initialiser reads everything.
  ///
  /// - Parameter coder: The object's values.
  /// - Throws: Nothing; an implementation of a type's own may.
  public func decode(from coder: borrowing ObjectDecoder) throws {}
}

/// The types that an archive may name.
///
/// A type is found only here, by the stable name that it gives itself; nothing in an archive leads
/// to a look-up at run time. A type that is not registered cannot be decoded, however it is
/// referred to.
public struct TypeRegistry: Sendable {
  private var types: [ArchiveKey: any ArchivableObject.Type] = [:]

  /// Makes an empty registry.
  public init() {}

  /// Adds a type under its own name.
  ///
  /// - Parameter type: The type; registering it again changes nothing.
  /// - Throws: ``ArchiveError`` when another type has the name, or the name is empty.
  public mutating func register<T: ArchivableObject>(_ type: T.Type) throws(ArchiveError) {
    try register(type, named: T.archiveTypeName)
  }

  /// Adds a type under a name that it had in the past, or was given by another program.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - name: The name that archives use.
  /// - Throws: ``ArchiveError`` when another type has the name, or the name is empty.
  public mutating func register<T: ArchivableObject>(
    _ type: T.Type, named name: String
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
  public var typeNames: [String] {
    types.keys.map(\.name).sorted { $0.bytesPrecede($1) }
  }

  func type(named name: String) -> (any ArchivableObject.Type)? { types[ArchiveKey(name)] }
}
