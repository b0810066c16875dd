public import KeepsakeArchive

/// The reason why an archive was refused or could not be migrated, or why a version or a plan
/// cannot be used.
///
/// A refusal never changes the archive: it stays byte for byte as it was until the next successful
/// save. See Spec/migration.md, section 3.
public struct MigrationError: Error, Hashable, Sendable {
  /// What was wrong.
  public let code: Code
  /// The version that the archive names, or the text that is not a version; `nil` when missing.
  public let archiveVersion: String?
  /// The version of this program; `nil` when no archive was being opened.
  public let programVersion: String?
  /// What the policy asked for, in words, or what was wrong with a version, a plan or a value.
  public let detail: String
  /// The step that failed, or that a plan cannot have, in words; `nil` when it is none.
  public internal(set) var step: String?
  /// The edit of the step that failed, in words.
  public internal(set) var edit: String?
  /// The object that the step failed at, by its number in the archive as it was; `nil` when it is
  /// none, or one that a step made.
  public internal(set) var objectID: ArchiveObjectID?
  /// The keys, scopes and element indexes that lead from the object to the value.
  public internal(set) var keyPath: [String] = []
  /// The error of the archive behind it, if that was the cause.
  public internal(set) var underlyingError: ArchiveError?

  init(
    _ code: Code, archiveVersion: String? = nil, programVersion: String? = nil, detail: String,
    step: String? = nil
  ) {
    self.code = code
    self.archiveVersion = archiveVersion
    self.programVersion = programVersion
    self.detail = detail
    self.step = step
  }

  static func malformedVersion(_ text: String, _ detail: String) -> MigrationError {
    MigrationError(.malformedVersion, archiveVersion: text, detail: detail)
  }
}
