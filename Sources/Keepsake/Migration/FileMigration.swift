public import KeepsakeArchive
public import KeepsakeMigration
public import KeepsakeSeal

/// The result of the migration of one file in a directory.
public struct FileMigration: Sendable {
  /// The outcome for the file.
  public enum Outcome: Sendable {
    /// The file was replaced, or would be without `isDryRun`.
    case migrated(MigrationReport)
    /// The file needs no migration, and was not written.
    case unchanged(MigrationReport)
    /// The file could not be migrated.
    case failed(KeepsakeError)
  }

  /// The path of the file.
  public let path: String
  /// The outcome for the file.
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

  /// Writes the path, the outcome in one word, and the report or the error.
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

/// Options for the migration of sealed files; each has a default.
public struct FileMigrationOptions: Sendable {
  /// The context of the files; the new file gets the same one.
  ///
  /// If it is empty, which is the default, the context is read from the file of a state or of a value
  /// (``KeepsakeSeal/SealedFileSummary/statedContext``), and is empty for other files.
  public var context: [UInt8]
  /// True when key slots that none of the given keys opens may be lost; by default a file with such a slot is not
  /// migrated.
  public var dropsOtherSlots: Bool
  /// The key that signs the new file.
  ///
  /// A signed file is migrated only with it, or when its signature may be dropped.
  public var signingKey: SealSigningKey?
  /// True when a signed file may become unsigned, or be signed again without any check of the old signature.
  public var dropsSignature: Bool
  /// True when the signing key may sign the content of an unsigned file, which any owner of a key may have written;
  /// without this option such a file is only migrated without a signing key.
  public var signsUnsigned: Bool
  /// Facts about the file that are known from elsewhere, so that an older file in its place is not migrated.
  public var expectation: SealExpectation
  /// Limits for reading, and the keys whose signatures are trusted besides the signing key.
  public var policy: SealPolicy
  /// True when a file whose archive is refused is also linked under another name beside it, so that the next save does
  /// not destroy the last copy.
  public var keepsRefusedFiles: Bool
  /// True when the state of a directory is migrated on a file system without locks, where other processes may use it
  /// meanwhile.
  public var allowsMissingLocks: Bool
  /// The number of objects that the report lists for each step; by default 1,000 in a dry run of one file, and none
  /// otherwise.
  public var objectLimit: Int?
  /// The limits for the size of an archive and its parts.
  public var limits: ArchiveLimits

  /// Creates options; each has a default.
  public init(
    context: [UInt8] = [], dropsOtherSlots: Bool = false, signingKey: SealSigningKey? = nil,
    dropsSignature: Bool = false, signsUnsigned: Bool = false,
    expectation: SealExpectation = .nothing,
    policy: SealPolicy = SealPolicy(), keepsRefusedFiles: Bool = false,
    allowsMissingLocks: Bool = false, objectLimit: Int? = nil, limits: ArchiveLimits = .init()
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
