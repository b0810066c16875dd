extension ArchiveError {
  /// What kind of thing went wrong; more kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case truncated, notAnArchive, unsupportedVersion, unsupportedFeature, damaged, nonCanonical
      case invalidUTF8, limitExceeded, absentKey, typeMismatch, valueOutOfRange, nullValue
      case duplicateKey, reservedKey, invalidValue, noSuchObject, objectOutOfOrder
      case unwrittenReference, typeNotRegistered, typeNotAllowed, duplicateType, outsideGraph
      case sourceFailed, notYetRead
    }

    private let kind: Kind

    private init(_ kind: Kind) {
      self.kind = kind
    }

    /// The name of the code, such as "absentKey".
    public var description: String { kind.rawValue }

    /// The bytes end before the archive does.
    public static let truncated = Code(.truncated)
    /// The bytes are no Keepsake archive.
    public static let notAnArchive = Code(.notAnArchive)
    /// The archive is of a format version that this library does not read.
    public static let unsupportedVersion = Code(.unsupportedVersion)
    /// The archive uses a feature that a reader must understand and this library does not.
    public static let unsupportedFeature = Code(.unsupportedFeature)
    /// The bytes contradict the format: an index, a range or an id that cannot be.
    public static let damaged = Code(.damaged)
    /// The bytes can be read but no writer of the format produces them.
    public static let nonCanonical = Code(.nonCanonical)
    /// A string or a name is not well-formed UTF-8.
    public static let invalidUTF8 = Code(.invalidUTF8)
    /// A limit of ``ArchiveLimits`` was exceeded.
    public static let limitExceeded = Code(.limitExceeded)
    /// The object has no value under the key.
    public static let absentKey = Code(.absentKey)
    /// The stored value is of another kind than the one asked for.
    public static let typeMismatch = Code(.typeMismatch)
    /// The stored number does not fit the type asked for.
    public static let valueOutOfRange = Code(.valueOutOfRange)
    /// The stored value is nil and the type asked for has no nil.
    public static let nullValue = Code(.nullValue)
    /// A key was written twice in one scope, or an archive declares one twice.
    public static let duplicateKey = Code(.duplicateKey)
    /// A reserved key was written as if it were an ordinary one.
    public static let reservedKey = Code(.reservedKey)
    /// A value is well-formed but not one that its type allows.
    public static let invalidValue = Code(.invalidValue)
    /// The archive has no object of the id.
    public static let noSuchObject = Code(.noSuchObject)
    /// Objects were not written in the order of their ids.
    public static let objectOutOfOrder = Code(.objectOutOfOrder)
    /// A reference was written to an object that never was.
    public static let unwrittenReference = Code(.unwrittenReference)
    /// The archive names a type that the registry does not know.
    public static let typeNotRegistered = Code(.typeNotRegistered)
    /// The object is of another type than this reference allows.
    public static let typeNotAllowed = Code(.typeNotAllowed)
    /// Two types were registered under one name.
    public static let duplicateType = Code(.duplicateType)
    /// An object was encoded or decoded by a coder that serves no object graph.
    public static let outsideGraph = Code(.outsideGraph)
    /// The source of an archive threw, or gave another number of bytes than it was asked for.
    public static let sourceFailed = Code(.sourceFailed)
    /// What was asked for comes later in the stream that the archive is read from.
    public static let notYetRead = Code(.notYetRead)
  }
}
