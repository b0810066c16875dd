import KeepsakeArchive

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
  private enum CodingKeys: CodingKey {
    case name, summary, edits, changed, inserted, removed, objects
  }

  /// Writes the step in words, the counts and the objects.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(summary, forKey: .summary)
    try container.encode(edits, forKey: .edits)
    try container.encode(changedCount, forKey: .changed)
    try container.encode(insertedCount, forKey: .inserted)
    try container.encode(removedCount, forKey: .removed)
    try container.encode(objects, forKey: .objects)
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
