/// The reason why an archive's bundle version was refused, or why a version cannot be read.
///
/// A refusal never changes the archive: it stays byte for byte as it was until the next successful
/// save. See Spec/migration.md, section 3.
public struct MigrationError: Error, Hashable, Sendable {
  /// What was wrong; new codes may be added, so a `switch` over them needs a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name of the code.
    public let rawValue: String

    /// Creates the code of a name.
    ///
    /// - Parameter rawValue: The stable name, for example `"malformedVersion"`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A text is not a bundle version.
    public static let malformedVersion = Code(rawValue: "malformedVersion")
    /// The archive does not say which bundle version wrote it.
    public static let missingVersion = Code(rawValue: "missingVersion")
    /// The archive was written by a version that is older than the policy allows.
    public static let stale = Code(rawValue: "stale")
    /// The archive was written by a version that is later than the policy allows, though not later
    /// than this program.
    public static let laterThanAllowed = Code(rawValue: "laterThanAllowed")
    /// The archive was written by a version that is later than this program.
    public static let fromTheFuture = Code(rawValue: "fromTheFuture")
  }

  /// What was wrong.
  public let code: Code
  /// The version that the archive names, or the text that is not a version; `nil` when missing.
  public let archiveVersion: String?
  /// The version of this program; `nil` when no archive was being opened.
  public let programVersion: String?
  /// What the policy asked for, in words, or what was wrong with a malformed version.
  public let detail: String

  static func malformedVersion(_ text: String, _ detail: String) -> MigrationError {
    MigrationError(
      code: .malformedVersion, archiveVersion: text, programVersion: nil, detail: detail)
  }
}

extension MigrationError: CustomStringConvertible {
  /// A full sentence that names both versions and says what to do.
  public var description: String {
    let program = programVersion ?? "unknown"
    return switch code {
    case .missingVersion:
      "The saved state does not say which bundle version wrote it, so this program, version "
        + "\(program), does not open it; start fresh, and the next save will record the version."
    case .stale:
      "The saved state is stale: version \(archiveVersion ?? "unknown") wrote it, and this "
        + "program, version \(program), opens only \(detail); start fresh, the next save replaces "
        + "it."
    case .laterThanAllowed:
      "The saved state is later than allowed: version \(archiveVersion ?? "unknown") wrote it, and "
        + "this program, version \(program), opens only \(detail); start fresh, the next save "
        + "replaces it."
    case .fromTheFuture:
      "The saved state is from the future: version \(archiveVersion ?? "unknown") wrote it, and "
        + "this program is version \(program) and opens only \(detail); update the program, or "
        + "start fresh."
    case .malformedVersion where programVersion != nil:
      "The saved state names \"\(archiveVersion ?? "")\" as the bundle version that wrote it, which "
        + "is not a version: \(detail); start fresh, the next save of this program, version "
        + "\(program), replaces it."
    default:
      "\"\(archiveVersion ?? "")\" is not a bundle version: \(detail); write numbers separated by "
        + "periods, as in 11.0.2."
    }
  }
}
