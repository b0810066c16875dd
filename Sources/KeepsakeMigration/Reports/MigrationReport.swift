public import KeepsakeArchive

/// The changes of a migration or a dry run, step by step and object by object.
public struct MigrationReport: Hashable, Sendable {
  /// The change of one object in one step.
  public struct ObjectChange: Hashable, Sendable {
    /// The kind of a change.
    public enum Kind: String, Sendable {
      /// The type, the keys or the values of the object were changed.
      case changed
      /// The step made the object.
      case inserted
      /// The step removed the object.
      case removed
    }

    /// The number of the object in the original archive; nil when a step made it.
    public let objectID: ArchiveObjectID?
    /// The name of its type after the step, or before it when it was removed.
    public let typeName: String
    /// The kind of the change.
    public let kind: Kind
    /// The differences, one line for each key, such as `~ age: "36" -> 36`; long values are cut short.
    public let differences: [String]
  }

  /// The changes of one step.
  public struct Step: Hashable, Sendable {
    /// The step in words, such as `10.0 -> 11.0`.
    public let name: String
    /// The purpose of the step; may be empty.
    public let summary: String
    /// Its edits in words.
    public let edits: [String]
    /// The edits, in words, that matched nothing, because no object has their type or their key.
    ///
    /// Such an edit usually has a misspelled name. See ``MigrationPlan/requiresMatches``.
    public internal(set) var unmatchedEdits: [String] = []
    /// The number of objects that were changed.
    public internal(set) var changedCount = 0
    /// The number of objects that were made.
    public internal(set) var insertedCount = 0
    /// The number of objects that were removed.
    public internal(set) var removedCount = 0
    /// The first of these objects, as many as the caller's limit allows.
    public internal(set) var objects: [ObjectChange] = []

    /// The number of further objects that the step changed, which are not in ``objects``.
    package var unlistedCount: Int { changedCount + insertedCount + removedCount - objects.count }
  }

  /// The version that wrote the archive.
  public let fromVersion: BundleVersion
  /// The version of the program.
  public let toVersion: BundleVersion
  /// The number of objects before the migration.
  public let objectCount: Int
  /// The changes of each step, in the order of the steps.
  public internal(set) var steps: [Step]
  /// True when the archive is written again: it had the layout of another version, or a step of a type's schema changed
  /// an object.
  public internal(set) var isRewritten: Bool
}

extension MigrationReport: Encodable {
  private enum CodingKeys: CodingKey { case from, to, objectCount, isRewritten, steps }

  /// Writes both versions as text, the counts and the steps.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(fromVersion.text, forKey: .from)
    try container.encode(toVersion.text, forKey: .to)
    try container.encode(objectCount, forKey: .objectCount)
    try container.encode(isRewritten, forKey: .isRewritten)
    try container.encode(steps, forKey: .steps)
  }
}

extension MigrationReport.Step: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name, summary, edits, unmatchedEdits
    case changedCount = "changed"
    case insertedCount = "inserted"
    case removedCount = "removed"
    case objects
  }
}

extension MigrationReport.ObjectChange: Encodable {
  private enum CodingKeys: CodingKey { case object, type, kind, differences }

  /// Writes number, type, kind and differences; the number is null for an object that was made.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(objectID?.rawValue, forKey: .object)
    try container.encode(typeName, forKey: .type)
    try container.encode(kind.rawValue, forKey: .kind)
    try container.encode(differences, forKey: .differences)
  }
}

extension MigrationReport: CustomStringConvertible {
  /// The steps with their counts, each with the objects that it changed.
  public var description: String {
    let objects = objectCount == 1 ? "1 object" : "\(objectCount) objects"
    guard isRewritten else {
      return "Version \(fromVersion), \(objects): nothing to migrate for version \(toVersion)."
    }
    let heading = "Version \(fromVersion) to version \(toVersion), \(objects):"
    return ([heading] + steps.flatMap(\.lines)).joined(separator: "\n")
  }
}

extension MigrationReport.Step {
  fileprivate var lines: [String] {
    var counts = ["\(changedCount) changed"]
    if insertedCount > 0 { counts.append("\(insertedCount) inserted") }
    if removedCount > 0 { counts.append("\(removedCount) removed") }
    let title = summary.isEmpty ? name : "\(name): \(summary)"
    var lines = ["  \(title) (\(counts.joined(separator: ", ")))"]
    lines += unmatchedEdits.map { "    ! found nothing to do: \($0)" }
    for object in objects {
      lines.append("    \(object)")
      lines += object.differences.map { "      \($0)" }
    }
    if unlistedCount > 0, !objects.isEmpty { lines.append("    … and \(unlistedCount) more") }
    return lines
  }
}

extension MigrationReport.ObjectChange: CustomStringConvertible {
  /// The number, the type, and the kind of the change.
  public var description: String {
    let name = (objectID.map { "\($0) \(typeName)" } ?? typeName).displayed
    return switch kind {
    case .changed: name
    case .inserted: "\(name) (inserted)"
    case .removed: "\(name) (removed)"
    }
  }
}
