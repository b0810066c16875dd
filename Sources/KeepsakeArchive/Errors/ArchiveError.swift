/// Why an archive could not be written or read, and where.
///
/// Reading throws it for every malformed, unsupported or unexpected input; no input makes the
/// library trap. An error in one key leaves the decoder as it was: other keys can still be read.
public struct ArchiveError: Error, Hashable, Sendable {
  /// What kind of thing went wrong.
  public var code: Code

  /// What happened, as a clause without its full stop.
  public var reason: String

  /// The object in whose record it happened, if it happened in one.
  public var objectID: ArchiveObjectID?

  /// The keys, scopes and element indexes that lead from the object to the value.
  public var keyPath: [String]

  /// The byte of the archive that shows it, if there is one.
  public var offset: Int?

  /// Whether the key path starts at another object than the one that is being read.
  var isOfOtherObject = false

  /// Makes an error, for value types that find a stored value to be none of theirs.
  ///
  /// - Parameters:
  ///   - code: What kind of thing went wrong.
  ///   - reason: What happened, as a clause without its full stop.
  ///   - offset: The byte of the archive that shows it, if there is one.
  public init(_ code: Code, _ reason: String, offset: Int? = nil) {
    self.code = code
    self.reason = reason
    self.offset = offset
    keyPath = []
  }

  /// The same error with one more step in front of its key path.
  func under(_ step: String) -> ArchiveError {
    if isOfOtherObject { return self }
    var error = self
    error.keyPath.insert(step, at: 0)
    return error
  }

  /// The same error, in a known object.
  func inObject(_ id: ArchiveObjectID) -> ArchiveError {
    var error = self
    if error.objectID == nil, id.rawValue > 0 { error.objectID = id }
    return error
  }
}

extension ArchiveError: CustomStringConvertible {
  /// A full sentence: what happened, where, and what to do next.
  public var description: String {
    var places: [String] = []
    if let objectID { places.append("object \(objectID)") }
    if !keyPath.isEmpty { places.append("key path \(joinedKeyPath)") }
    if let offset { places.append("byte \(offset)") }
    let place = places.isEmpty ? "" : " (\(places.joined(separator: ", ")))"
    // Names of the archive stand in the reason and in the key path.
    return "\(reason)\(place). \(advice)".displayed
  }

  /// The key path as one string, such as `contacts[3].name`; for display only, since a key may
  /// itself hold a dot.
  private var joinedKeyPath: String {
    var text = ""
    for step in keyPath {
      if !step.hasPrefix("["), !text.isEmpty { text += "." }
      text += step
    }
    return text
  }

  private var advice: String {
    switch code {
    case .truncated, .damaged, .nonCanonical, .invalidUTF8:
      "Use another copy of the archive; this one is not as it was written."
    case .notAnArchive: "Check that these are the bytes of a Keepsake archive, already unsealed."
    case .unsupportedVersion, .unsupportedFeature: "Open it with a later version of Keepsake."
    case .limitExceeded: "Raise the limit if the data is legitimate."
    case .absentKey: "Use decodeIfPresent where a key may be absent."
    case .typeMismatch, .valueOutOfRange: "Decode it as the type that was encoded."
    case .nullValue: "Decode it as an optional or with decodeIfPresent."
    case .duplicateKey: "Use another key, or open a scope with withScope."
    case .reservedKey: "Give reserved values to the writer when it is made."
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
    default: "See the reason above."
    }
  }
}
