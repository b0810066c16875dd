public import KeepsakeArchive
public import KeepsakeDocuments

/// The content of an archive that `NSKeyedArchiver` wrote, without its classes.
///
/// Objects become records that name their class as their type, with the keys that they were encoded under; references
/// keep identity and cycles. Values of Foundation's own classes, such as `NSArray`, `NSDate` and `NSURL`, become values
/// of an archive. The article *From NSKeyedArchiver* of the module Keepsake lists these classes.
///
/// No class is looked up and no code of a class runs, so an archive of an unknown origin can be read. The memory is in
/// proportion to the file.
///
/// ```swift
/// var options = ImportOptions()
/// options.typeNames = ["OldContact": "Contact"]
/// let old = try ImportedArchive(bytes, options: options)
/// let archive = try Archive(old.document.encoded())
/// ```
public struct ImportedArchive: Sendable {
  /// The objects, to be edited, or written as an archive.
  public var document: ArchiveDocument
  /// The name of the archiver, such as `NSKeyedArchiver`.
  public let archiverName: String
  /// The classes whose objects became records, sorted by name.
  ///
  /// They are the app's own classes, and those of a framework that the import does not understand.
  public let classes: [ImportedClass]
  /// The number of attributed strings whose attributes were left out.
  public let plainTextCount: Int

  /// Reads an archive in the binary form or in XML.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - options: The names of types, and the facts that the new archive states about itself.
  /// - Throws: ``ImportError``: `notKeyedArchive` when the bytes are another property list, and other codes for
  ///   malformed input.
  /// - Complexity: In proportion to the length of the file.
  public init(
    _ bytes: [UInt8], options: ImportOptions = ImportOptions()
  ) throws(ImportError) {
    guard bytes.count <= options.largestByteCount else {
      throw ImportError(
        .limitExceeded,
        "the file has \(bytes.count) bytes, and ImportOptions.largestByteCount allows "
          + "\(options.largestByteCount)")
    }
    let archive = try KeyedArchive(bytes)
    var graph = KeyedGraph(archive, options: options, byteCount: bytes.count)
    try graph.read()
    document = graph.document
    archiverName = archive.archiverName
    classes = graph.importedClasses
    plainTextCount = graph.plainTextCount
  }

  /// True when the bytes are a property list with the keys of a keyed archive at its top.
  ///
  /// The check is quicker than an import, which may still refuse the archive.
  ///
  /// - Parameter bytes: The file.
  /// - Returns: False also for a malformed property list.
  public static func isKeyedArchive(_ bytes: [UInt8]) -> Bool {
    do throws(ImportError) {
      _ = try KeyedArchive(bytes)
      return true
    } catch {
      return error.code == .unsupportedVersion
    }
  }
}

/// A class whose objects became records.
public struct ImportedClass: Hashable, Sendable {
  /// The name of the class in the old archive.
  public let name: String
  /// The name of the type in the new archive.
  public let typeName: String
  /// The names of its superclasses from the nearest, as far as the old archive states them.
  public let superclasses: [String]
  /// The number of objects.
  public let objectCount: Int
  /// The keys that at least one object has, sorted.
  public let keys: [String]
}

/// The settings of an import.
public struct ImportOptions: Sendable {
  /// The names of types in the new archive by the names of classes in the old one; a class that is not in the table
  /// keeps its name.
  public var typeNames: [String: String] = [:]
  /// The type name of the record at the top.
  ///
  /// The new archive has such a record when the old one has several values at its top, or one that is not an object.
  public var topTypeName = "Imported"
  /// The facts that the new archive is to state about itself, such as the version that a migration starts from.
  public var reserved = ReservedValues()
  /// The largest file that is read, in bytes: 1 GiB by default.
  public var largestByteCount = 1 << 30

  /// Makes the default settings.
  public init() {}
}
