/// The reason why an archive could not be written or read, and the place of the error.
///
/// Reading throws it for every malformed, unsupported or unexpected input; no input makes the
/// library trap. An error in one key leaves the decoder as it was: other keys can still be read.
public struct ArchiveError: Error, Sendable {
  /// The kind of the error.
  public let code: Code

  /// The event, as a clause without a full stop.
  package let message: String

  /// The object whose record has the error; nil when no object has it.
  public package(set) var objectID: ArchiveObjectID?

  /// The keys, scopes and element indexes that lead from the object to the value.
  public package(set) var keyPath: [String]

  /// The byte of the archive at which the error was found, if there is one.
  public let offset: Int?

  /// The error that led to this one, such as that of a source that could not be read.
  public let underlyingError: (any Error)?

  /// The advice for this error, where it differs from the advice for its code.
  package var remedy: String?

  /// True when the key path starts at another object than the one that is being read.
  var isOfOtherObject = false

  /// Creates an error, for value types that cannot be made from the stored values.
  ///
  /// The message is a clause without a full stop, and the offset is that of a byte of the archive.
  public init(
    _ code: Code, _ message: String, offset: Int? = nil, underlyingError: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.offset = offset
    self.underlyingError = underlyingError
    keyPath = []
  }

  /// The error of a name that is absent, when the stored name differs from it in its Unicode form alone.
  package static func otherSpelling(
    of name: String, stored: String, isScope: Bool = false, offset: Int? = nil
  ) -> ArchiveError {
    var error = ArchiveError(
      .absentKey,
      "there is no \(isScope ? "scope" : "value under") \(name.spelledOut), but one "
        + "\(isScope ? "named" : "under") \(stored.spelledOut), the same name in another Unicode form",
      offset: offset)
    error.remedy = "Ask for the name in the form in which it is stored."
    return error
  }

  /// The error of bytes that contradict the format, found at a byte of the archive.
  @inline(never)
  @usableFromInline
  package static func damaged(_ message: String, at offset: Int? = nil) -> ArchiveError {
    ArchiveError(.damaged, message, offset: offset)
  }

  /// The error with one more step in front of its key path.
  @usableFromInline
  package func under(_ step: String) -> ArchiveError {
    if isOfOtherObject { return self }
    var error = self
    error.keyPath.insert(step, at: 0)
    return error
  }

  /// The error with more steps in front of its key path, the outermost first.
  package func under(_ steps: [String]) -> ArchiveError {
    steps.reversed().reduce(self) { $0.under($1) }
  }

  /// The error in an object; an error that names an object already is not changed.
  package func inObject(_ id: ArchiveObjectID) -> ArchiveError {
    var error = self
    if error.objectID == nil, id.rawValue > 0 { error.objectID = id }
    return error
  }
}

extension ArchiveError: Hashable {
  /// Whether both errors have the same code, message and place; underlying errors are not compared.
  public static func == (left: ArchiveError, right: ArchiveError) -> Bool {
    left.code == right.code && left.message == right.message && left.objectID == right.objectID
      && left.keyPath == right.keyPath && left.offset == right.offset
  }

  /// Hashes everything that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(message)
    hasher.combine(objectID)
    hasher.combine(keyPath)
    hasher.combine(offset)
  }
}

extension ArchiveError: CustomStringConvertible {
  /// Full sentences: what happened, where, and what to do next.
  public var description: String {
    var places: [String] = []
    if let objectID { places.append("object \(objectID)") }
    if !keyPath.isEmpty { places.append("key path \(joinedKeyPath)") }
    if let offset { places.append("byte \(offset)") }
    let place = places.isEmpty ? "" : " (\(places.joined(separator: ", ")))"
    // The message and the key path may contain names from the archive.
    return "\(message.prefix(1).uppercased())\(message.dropFirst())\(place). \(remedy ?? advice)"
      .displayed
  }

  /// The key path as one string, such as `contacts[3].name`; for display only, since a key may
  /// itself hold a dot, and a long path is cut in the middle.
  private var joinedKeyPath: String {
    DisplayedPath.text(of: keyPath, mostBytes: DisplayedPath.mostBytesInSentence) {
      !$0.hasPrefix("[")
    }
  }

  var advice: String {
    switch code {
    case .truncated, .damaged, .invalidUTF8:
      "Use another copy of the archive; this one is not as it was written."
    case .nonCanonical:
      "Its values can be read; write them again for an archive that is as a writer makes it."
    case .duplicateKey where offset != nil:
      "Use another copy of the archive; this one is not as it was written."
    case .notAnArchive: "Check that these are the bytes of a Keepsake archive, already unsealed."
    case .unsupportedVersion, .unsupportedFeature: "Open it with a later version of Keepsake."
    case .limitExceeded: "Raise the limit in the ArchiveLimits that you give, or make it smaller."
    case .absentKey: "Use decodeIfPresent where a key may be absent."
    case .typeMismatch, .valueOutOfRange: "Decode it as the type that was encoded."
    case .nullValue: "Decode it as an optional or with decodeIfPresent."
    case .duplicateKey: "Use another key, or open a scope with withScope."
    case .duplicateMember:
      "Keep each once, or use a type that distinguishes them, such as one with a case unknown(String)."
    case .invalidTypeName: "Give the type a stable name that is not empty."
    case .reservedKey: "Pass reserved values to the initialiser of the writer."
    case .invalidValue: "Check what the program that wrote it stores there."
    case .noSuchObject: "Use an id between 1 and the object count."
    case .objectOutOfOrder: "Write objects in the order of their ids, starting with 1."
    case .unwrittenReference: "Write every object that is referred to before finishing."
    case .typeNotRegistered: "Register the type in the type registry."
    case .typeNotAllowed: "Decode it as the type that was encoded."
    case .duplicateType: "Give each registered type a name of its own."
    case .sourceFailed: "See to the source of the archive and try again."
    case .notYetRead: "Ask when the stream has been read to its end, or open it at random."
    case .outsideGraph: "Encode and decode objects through Archive.encode and decodeRoot."
    default: "See what happened, above."
    }
  }
}

extension ArchiveError {
  /// The kind of an error, with the names of Spec/archive.md, section 7.10.
  ///
  /// The list is open: a later version may add codes, so a `switch` needs a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The stable name of the code, such as `"absentKey"`.
    public let rawValue: String

    /// Makes the code of a name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The stable name of the code.
    public var description: String { rawValue }

    /// The bytes end before the archive does.
    public static let truncated = Code(rawValue: "truncated")
    /// The bytes are not a Keepsake archive.
    public static let notAnArchive = Code(rawValue: "notAnArchive")
    /// The archive has a format version that this library does not read.
    public static let unsupportedVersion = Code(rawValue: "unsupportedVersion")
    /// The archive uses a feature that a reader must understand and this library does not.
    public static let unsupportedFeature = Code(rawValue: "unsupportedFeature")
    /// The bytes contradict the format and cannot be read.
    public static let damaged = Code(rawValue: "damaged")
    /// The bytes can be read, but no writer of the format produces them; the verdict `notCanonical` has such an
    /// error.
    public static let nonCanonical = Code(rawValue: "nonCanonical")
    /// A string or a name is not well-formed UTF-8.
    public static let invalidUTF8 = Code(rawValue: "invalidUTF8")
    /// A limit of ``ArchiveLimits`` was exceeded, or a limit of the format, which cannot be raised.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// The object has no value under the key.
    public static let absentKey = Code(rawValue: "absentKey")
    /// The stored value is of another kind than the requested type.
    public static let typeMismatch = Code(rawValue: "typeMismatch")
    /// The stored number does not fit the requested type.
    public static let valueOutOfRange = Code(rawValue: "valueOutOfRange")
    /// The stored value is nil, and the requested type cannot be nil.
    public static let nullValue = Code(rawValue: "nullValue")
    /// Two members of a set, or two keys of a dictionary, are equal in the type that they are written from or read
    /// as.
    public static let duplicateMember = Code(rawValue: "duplicateMember")
    /// A key was written twice in one scope, or an archive declares one twice.
    public static let duplicateKey = Code(rawValue: "duplicateKey")
    /// A reserved key was written as if it were an ordinary one.
    public static let reservedKey = Code(rawValue: "reservedKey")
    /// The name of a type is empty, although a name is needed.
    public static let invalidTypeName = Code(rawValue: "invalidTypeName")
    /// A value is well-formed, but its type does not allow it.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// The archive has no object with the id.
    public static let noSuchObject = Code(rawValue: "noSuchObject")
    /// Objects were not written in the order of their ids.
    public static let objectOutOfOrder = Code(rawValue: "objectOutOfOrder")
    /// A reference was written to an object that was never written.
    public static let unwrittenReference = Code(rawValue: "unwrittenReference")
    /// The archive names a type that the registry does not know.
    public static let typeNotRegistered = Code(rawValue: "typeNotRegistered")
    /// The object is of another type than this reference allows.
    public static let typeNotAllowed = Code(rawValue: "typeNotAllowed")
    /// Two types were registered under one name.
    public static let duplicateType = Code(rawValue: "duplicateType")
    /// An object was encoded or decoded by a coder that serves no object graph.
    public static let outsideGraph = Code(rawValue: "outsideGraph")
    /// The source of an archive threw, or returned another number of bytes than was requested.
    public static let sourceFailed = Code(rawValue: "sourceFailed")
    /// The requested value comes later in the stream that the archive is read from.
    public static let notYetRead = Code(rawValue: "notYetRead")
  }
}
