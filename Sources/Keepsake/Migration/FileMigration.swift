public import KeepsakeArchive
public import KeepsakeMigration
public import KeepsakeSeal

/// What became of one file when the files of a directory were migrated.
public struct FileMigration: Sendable {
  /// How it ended.
  public enum Outcome: Sendable {
    /// The file was replaced, or on a dry run would be.
    case migrated(MigrationReport)
    /// There was nothing to migrate, and the file was not written.
    case unchanged(MigrationReport)
    /// The file could not be migrated.
    case failed(KeepsakeError)
  }

  /// The path of the file.
  public let path: String
  /// How it ended.
  public let outcome: Outcome
}

extension FileMigration: CustomStringConvertible {
  /// The path and the outcome; the report of a migration begins on the next line.
  public var description: String {
    switch outcome {
    case .migrated(let report): "\(path.displayed): migrated\n\(report)"
    case .unchanged: "\(path.displayed): nothing to migrate"
    case .failed(let error): "\(path.displayed): failed\n\(error)"
    }
  }
}

extension FileMigration: Encodable {
  private enum CodingKeys: CodingKey { case path, outcome, report, error }

  /// Writes the path, the outcome in a word, and the report or the error.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(path, forKey: .path)
    switch outcome {
    case .migrated(let report):
      try container.encode("migrated", forKey: .outcome)
      try container.encode(report, forKey: .report)
    case .unchanged(let report):
      try container.encode("unchanged", forKey: .outcome)
      try container.encode(report, forKey: .report)
    case .failed(let error):
      try container.encode("failed", forKey: .outcome)
      try container.encode(error.message, forKey: .error)
    }
  }
}

/// How sealed files are migrated; each option has a default.
public struct FileMigrationOptions: Sendable {
  /// What the files were sealed for; the new file is sealed for the same.
  ///
  /// Empty, the default, stands for what the file of a state or of a value says of itself
  /// (``KeepsakeSeal/SealedFileSummary/statedContext``), and for nothing with other files.
  public var context: [UInt8]
  /// Whether key slots that none of the given keys opens may be lost; by default the migration of a
  /// file that has one is refused.
  public var dropsOtherSlots: Bool
  /// What signs the new file; a signed file is only migrated with it, or when its signature may be dropped.
  public var signingKey: SealSigningKey?
  /// Whether a signed file may become one that is not, or one that is signed anew although nothing says who signed
  /// the content so far.
  public var dropsSignature: Bool
  /// Whether the signing key may sign the content of a file that is not signed, which anyone with a key of the file may
  /// have written; without it such a file is only migrated without a signing key.
  public var signsUnsigned: Bool
  /// What is known of the file from elsewhere, so that an older one that was put in its place is not carried on.
  public var expectation: SealExpectation
  /// What is worth reading, and whose signatures are trusted besides the signing key's.
  public var policy: SealPolicy
  /// Whether a file whose archive is refused is also kept under another name beside it, so that the
  /// next save does not destroy the last copy.
  public var keepsRefusedFiles: Bool
  /// Whether the state of a directory is migrated on a file system that has no locks, where nothing keeps
  /// other processes from using it meanwhile.
  public var allowsMissingLocks: Bool
  /// How many objects the report lists for each step.
  public var objectLimit: Int
  /// How large an archive and its parts may become.
  public var limits: ArchiveLimits

  /// Creates options.
  ///
  /// - Parameters:
  ///   - context: What the files were sealed for.
  ///   - dropsOtherSlots: Whether key slots that none of the given keys opens may be lost.
  ///   - signingKey: What signs the new file.
  ///   - dropsSignature: Whether a signature may be lost, or made without looking at the old one.
  ///   - signsUnsigned: Whether the signing key may sign the content of a file that is not signed.
  ///   - expectation: What is known of the file from elsewhere.
  ///   - policy: What is worth reading, and whose signatures are trusted.
  ///   - keepsRefusedFiles: Whether a refused file is also kept under another name.
  ///   - allowsMissingLocks: Whether a state is migrated on a file system that has no locks.
  ///   - objectLimit: How many objects the report lists for each step.
  ///   - limits: How large an archive and its parts may become.
  public init(
    context: [UInt8] = [], dropsOtherSlots: Bool = false, signingKey: SealSigningKey? = nil,
    dropsSignature: Bool = false, signsUnsigned: Bool = false,
    expectation: SealExpectation = .nothing,
    policy: SealPolicy = .default, keepsRefusedFiles: Bool = false,
    allowsMissingLocks: Bool = false, objectLimit: Int = 0, limits: ArchiveLimits = .default
  ) {
    self.context = context
    self.dropsOtherSlots = dropsOtherSlots
    self.signingKey = signingKey
    self.dropsSignature = dropsSignature
    self.signsUnsigned = signsUnsigned
    self.expectation = expectation
    self.policy = policy
    self.keepsRefusedFiles = keepsRefusedFiles
    self.allowsMissingLocks = allowsMissingLocks
    self.objectLimit = objectLimit
    self.limits = limits
  }
}
