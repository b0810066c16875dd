import KeepsakeArchive
public import KeepsakeMigration

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
