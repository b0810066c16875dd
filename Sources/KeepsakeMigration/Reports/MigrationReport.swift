public import KeepsakeArchive

/// What a migration changed, or what it would change, step by step and object by object.
public struct MigrationReport: Hashable, Sendable {
  /// What became of one object in one step.
  public struct ObjectChange: Hashable, Sendable {
    /// What a step did with an object.
    public enum Kind: String, Sendable {
      /// Its type, its keys or its values were changed.
      case changed
      /// The step made it.
      case inserted
      /// The step removed it.
      case removed
    }

    /// The number of the object in the archive as it was, or nil when a step made it.
    public let objectID: ArchiveObjectID?
    /// The name of its type after the step, or before it when it was removed.
    public let typeName: String
    /// What the step did with it.
    public let kind: Kind
    /// What differs, a line for each key, such as `~ age: "36" -> 36`; long values are cut short.
    public let differences: [String]
  }

  /// What one step did.
  public struct Step: Hashable, Sendable {
    /// The step in words, such as `10.0 -> 11.0`.
    public let name: String
    /// What the step is for; may be empty.
    public let summary: String
    /// Its edits in words.
    public let edits: [String]
    /// The number of objects that were changed.
    public internal(set) var changedCount = 0
    /// The number of objects that were made.
    public internal(set) var insertedCount = 0
    /// The number of objects that were removed.
    public internal(set) var removedCount = 0
    /// The first of the objects above; how many is for the caller to say.
    public internal(set) var objects: [ObjectChange] = []

    /// How many objects the step touched that are not among ``objects``.
    public var unlistedCount: Int { changedCount + insertedCount + removedCount - objects.count }
  }

  /// The version that wrote the archive.
  public let fromVersion: BundleVersion
  /// The version of the program.
  public let toVersion: BundleVersion
  /// The number of objects before.
  public let objectCount: Int
  /// What each step did, in the order of the steps.
  public internal(set) var steps: [Step]
  /// Whether the archive is written again: it had another version's layout, or a step of a type's
  /// schema found something to do.
  public internal(set) var isRewritten: Bool
}
