import ArgumentParser
import CommandSupport
import Keepsake

extension DiffCommand {
  /// Writes a page that shows both archives side by side.
  func writePage() throws {
    let (before, after) = (try side(old), try side(new))
    let changes = try ArchiveComparison(before.archive, after.archive).changesWithMoves()
    let isSame = before.archive.reserved == after.archive.reserved && changes.isEmpty
    try page.write { page in
      try page.write(
        facts: [
          "changes": .array(changes.map(\.json)),
          "old": before.facts.json(withSizes: false), "new": after.facts.json(withSizes: false),
        ])
      try page.write(before.archive, id: "archive-old")
      try page.write(after.archive, id: "archive-new")
    }
    if !isSame { throw ExitCode(ExitStatus.difference.rawValue) }
  }

  private func side(_ argument: String) throws -> (archive: Archive, facts: PageFacts) {
    let file = try InputFile(argument)
    let opened = try unseal(file)
    let archive = try file.archive(in: opened)
    return (archive, try PageFacts(file, opened, archive))
  }
}

/// An object that differs between the archives.
///
/// One that was removed at a place and added at another one has moved.
struct ShownChange {
  /// The word for the kind of change.
  let kind: String
  let name: String
  let old: ArchiveObjectID?
  let new: ArchiveObjectID?
  /// The name of a moved object in the older archive.
  var formerName: String?

  /// A row of the page's list; 0 means no object.
  var json: JSONValue {
    .array(
      [
        .string(kind), .string(name), .number(old?.rawValue ?? 0), .number(new?.rawValue ?? 0),
      ] + (formerName.map { [.string($0)] } ?? []))
  }
}

extension ArchiveComparison {
  /// A reason to treat a removed and an added object as one that moved.
  private enum MoveReason: Hashable {
    /// Both have the same type and the same values, and at least one value.
    case record(DynamicRecord)
    /// Both have the same type and the same restoration identifier.
    case identifier(String, typeName: String)
  }

  /// The changes; an object at another place counts as moved, and not as removed and added.
  func changesWithMoves() throws -> [ShownChange] {
    var changes: [Change] = []
    try forEachChange { change in
      var change = change
      change.differences = []
      changes.append(change)
      return true
    }
    var origins: [Int: Int] = [:]
    try pair(changes, &origins) { change in
      try record(of: change).flatMap { $0.fields.isEmpty ? nil : .record($0) }
    }
    try pair(changes, &origins) { change in
      guard let identifier = identifier(of: change), let record = try record(of: change) else {
        return nil
      }
      return .identifier(identifier, typeName: record.typeName)
    }
    let moved = Set(origins.values)
    return changes.indices.filter { !moved.contains($0) }.map { index in
      let change = changes[index]
      guard let origin = origins[index] else {
        return ShownChange(
          kind: change.kind.rawValue, name: change.name, old: change.old, new: change.new)
      }
      return ShownChange(
        kind: "moved", name: change.name, old: changes[origin].old, new: change.new,
        formerName: changes[origin].name)
    }
  }

  /// Pairs an added and a removed object when no other object has the same reason.
  ///
  /// `origins` maps the index of the added object to that of the removed one. `reason` returns the reason to pair an
  /// object; nil for an object that is not paired.
  private func pair(
    _ changes: [Change], _ origins: inout [Int: Int],
    by reason: (Change) throws -> MoveReason?
  ) throws {
    let taken = Set(origins.values)
    var candidates: [MoveReason: (removed: [Int], added: [Int])] = [:]
    for index in changes.indices where origins[index] == nil && !taken.contains(index) {
      let change = changes[index]
      if change.kind == .changed { continue }
      guard let key = try reason(change) else { continue }
      if change.kind == .added {
        candidates[key, default: ([], [])].added.append(index)
      } else {
        candidates[key, default: ([], [])].removed.append(index)
      }
    }
    for (removed, added) in candidates.values where removed.count == 1 && added.count == 1 {
      origins[added[0]] = removed[0]
    }
  }
}
