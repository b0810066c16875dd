public import KeepsakeArchive

/// The reason why an archive was refused or could not be migrated, or why a version or a plan is invalid.
///
/// A refusal never changes the archive: it stays unchanged until the next successful save. See Spec/migration.md,
/// section 3.
public struct MigrationError: Error, Hashable, Sendable {
  /// The kind of the error.
  public let code: Code
  /// The version that the archive names, or the text that is not a version; `nil` when missing.
  public let archiveVersion: String?
  /// The version of this program; `nil` when no archive was being opened.
  public let programVersion: String?
  /// The requirement of the policy in words, or the fault of a version, a plan or a value.
  package let message: String
  /// The step that failed, or that is invalid in a plan, in words; `nil` for other errors.
  public internal(set) var step: String?
  /// The edit of the step that failed, in words.
  public internal(set) var edit: String?
  /// The object that failed, by its number in the original archive; `nil` when no object failed, or one that a step
  /// made.
  public internal(set) var objectID: ArchiveObjectID?
  /// The keys, scopes and element indices that lead from the object to the value.
  public internal(set) var keyPath: [String] = []
  /// The archive error that caused this error, or `nil` without one.
  public internal(set) var underlyingError: ArchiveError?

  init(
    _ code: Code, archiveVersion: String? = nil, programVersion: String? = nil, message: String,
    step: String? = nil
  ) {
    self.code = code
    self.archiveVersion = archiveVersion
    self.programVersion = programVersion
    self.message = message
    self.step = step
  }

  static func malformedVersion(_ text: String, _ message: String) -> MigrationError {
    MigrationError(.malformedVersion, archiveVersion: text, message: message)
  }
}

extension MigrationError {
  /// The kind of an error; new codes may be added, so a `switch` over them needs a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name of the code.
    public let rawValue: String

    /// Creates a code from its stable name, for example `"malformedVersion"`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A text is not a bundle version.
    public static let malformedVersion = Code(rawValue: "malformedVersion")
    /// The archive does not say which bundle version wrote it.
    public static let missingVersion = Code(rawValue: "missingVersion")
    /// The archive was written by a version that is older than the policy allows, or older than the
    /// version that the first step of the plan begins with.
    public static let stale = Code(rawValue: "stale")
    /// The archive was written by a version that is later than the policy allows, though not later
    /// than this program.
    public static let laterThanAllowed = Code(rawValue: "laterThanAllowed")
    /// The archive was written by a version that is later than this program.
    public static let fromTheFuture = Code(rawValue: "fromTheFuture")
    /// The archive was written under another user interface idiom.
    public static let idiomMismatch = Code(rawValue: "idiomMismatch")
    /// The archive was written longer ago than the policy allows.
    public static let expired = Code(rawValue: "expired")
    /// A rule that the application added to the policy refused the archive.
    public static let refusedByPolicy = Code(rawValue: "refusedByPolicy")

    /// A step of a plan leads to the version that it begins with, or to an earlier one.
    public static let backwardsStep = Code(rawValue: "backwardsStep")
    /// The steps of a plan lead back to a version that one of them begins with.
    public static let cycle = Code(rawValue: "cycle")
    /// Two steps of a plan begin with the same version.
    public static let duplicateStep = Code(rawValue: "duplicateStep")
    /// A step of a plan begins with a later version than the one that the previous step leads to.
    public static let gap = Code(rawValue: "gap")
    /// A step of a plan begins with an earlier version than the one that the previous step leads to.
    public static let overlap = Code(rawValue: "overlap")
    /// A step of a plan leads to a later version than the program's own.
    public static let stepBeyondProgram = Code(rawValue: "stepBeyondProgram")

    /// A step failed; the error names the step, the object and the key.
    public static let stepFailed = Code(rawValue: "stepFailed")
    /// The archive is damaged, or the result of the steps cannot be stored.
    public static let unusableArchive = Code(rawValue: "unusableArchive")
  }
}

extension MigrationError: CustomStringConvertible {
  /// A full sentence that names both versions, or the step, and says what to do.
  public var description: String { sentence.displayed }

  private var sentence: String {
    switch code {
    case .backwardsStep, .cycle, .duplicateStep, .gap, .overlap, .stepBeyondProgram:
      "The migration plan cannot be used, because \(message); correct its steps, no saved state was "
        + "touched."
    case .stepFailed: stepFailure
    case .unusableArchive:
      "The saved state could not be migrated and is unchanged: \(message)"
    default: refusal
    }
  }

  private var writer: String { "version \(archiveVersion ?? "unknown")" }
  private var program: String { "version \(programVersion ?? "unknown")" }

  private var refusal: String {
    switch code {
    case .missingVersion:
      "The saved state does not say which bundle version wrote it, so this program, \(program), "
        + "does not open it; start fresh, and the next save will record the version."
    case .stale:
      "The saved state is stale: \(writer) wrote it, and this program, \(program), opens only "
        + "\(message); start fresh, the next save replaces it."
    case .laterThanAllowed:
      "The saved state is later than allowed: \(writer) wrote it, and this program, \(program), "
        + "opens only \(message); start fresh, the next save replaces it."
    case .fromTheFuture:
      "The saved state is from the future: \(writer) wrote it, and this program is \(program) and "
        + "opens only \(message); update the program, or start fresh."
    case .idiomMismatch:
      "The saved state, which \(writer) wrote, belongs to another kind of interface than this "
        + "program, \(program), has: \(message); start fresh, the next save replaces it."
    case .expired:
      "The saved state, which \(writer) wrote, is too old for this program, \(program): \(message); "
        + "start fresh, the next save replaces it."
    case .refusedByPolicy:
      "The saved state, which \(writer) wrote, is not opened by this program, \(program), because "
        + "\(message); start fresh, the next save replaces it."
    case .malformedVersion where programVersion != nil:
      "The saved state names \"\(archiveVersion ?? "")\" as the bundle version that wrote it, which "
        + "is not a version: \(message); start fresh, the next save of this program, \(program), "
        + "replaces it."
    default:
      "\"\(archiveVersion ?? "")\" is not a bundle version: \(message); write numbers separated by "
        + "periods, as in 11.0.2."
    }
  }

  private var stepFailure: String {
    var places: [String] = []
    if let objectID { places.append("object \(objectID)") }
    if !keyPath.isEmpty {
      let path = DisplayedPath.text(of: keyPath, mostBytes: .max) { !$0.hasPrefix("[") }
      places.append("key path \(path)")
    }
    let place = places.isEmpty ? "" : " at \(places.joined(separator: ", "))"
    let edit = edit.map { " (\($0))" } ?? ""
    return "The migration step \(step ?? "unknown")\(edit) failed\(place): \(message). The saved "
      + "state is unchanged; mend the step, or start fresh."
  }
}
