import KeepsakeArchive

extension MigrationReport: CustomStringConvertible {
  /// The steps with their counts, below each the objects that it changed.
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
    if insertedCount > 0 { counts.append("\(insertedCount) made") }
    if removedCount > 0 { counts.append("\(removedCount) removed") }
    let title = summary.isEmpty ? name : "\(name): \(summary)"
    var lines = ["  \(title) (\(counts.joined(separator: ", ")))"]
    for object in objects {
      lines.append("    \(object)")
      lines += object.differences.map { "      \($0)" }
    }
    if unlistedCount > 0, !objects.isEmpty { lines.append("    … and \(unlistedCount) more") }
    return lines
  }
}

extension MigrationReport.ObjectChange: CustomStringConvertible {
  /// The number, the type, and what became of the object.
  public var description: String {
    let name = (objectID.map { "\($0) \(typeName)" } ?? typeName).displayed
    return switch kind {
    case .changed: name
    case .inserted: "\(name) (made)"
    case .removed: "\(name) (removed)"
    }
  }
}
