import KeepsakeArchive

// The unclaimed records of the last restore (Spec/restoration.md, section 6).
extension SaveSession {
  /// Writes the unclaimed records of the last restore, after those of all objects.
  ///
  /// A record is dropped if an object has its place now, or if its parent no longer exists.
  func writeOrphans(into writer: inout ArchiveWriter) throws {
    guard !orphans.records.isEmpty else { return }
    var found = FoundPlaces(rows)
    var kept: [Orphan] = []
    for orphan in orphans.records where found.row(of: orphan.place) == nil {
      let parent = orphan.place.parent.map { found.row(of: $0) }
      if let parent, parent == nil { continue }
      found.add(rows.count, orphan.place, in: parent ?? nil)
      rows.addOrphan(row(for: orphan, in: parent ?? nil))
      kept.append(orphan)
    }
    for orphan in kept {
      try orphan.write(as: writer.nextObjectID, into: &writer) { former in
        orphans.formerPlaces[former].flatMap { found.row(of: $0) }.map(Self.id(ofRow:))
      }
      rows.report(
        .unclaimed, at: orphan.path,
        "The state of \(orphan.path), which no object claimed at the last launch, is kept for one more."
      )
    }
  }

  private func row(for orphan: Orphan, in parent: Int?) -> ObjectRow {
    // A kept record is not a child of a container: it is only for an object that exists already.
    let role = orphan.role.kind == .node ? .node : orphan.role
    var row = ObjectRow(
      orphan.path.identifier, as: role, in: parent, depth: orphan.path.count,
      ordinal: orphan.place.ordinal, record: Self.id(ofRow: rows.count))
    row.flags = [.orphan]
    if orphan.isStateless { row.flags.insert(.stateless) }
    if orphan.template != nil { row.flags.insert(.template) }
    if let name = orphan.className {
      row.classNumber = UInt32(rows.classNames.number(of: name) + 1)
    }
    return row
  }
}

/// The rows of a save by their places.
@MainActor
private struct FoundPlaces {
  private var rows: [SavedRows.Place: Int] = [:]
  /// The rows of places that were looked up before; the places of siblings share the place of their parent.
  private var known: [ObjectIdentifier: Int] = [:]

  init(_ rows: borrowing SavedRows) {
    for row in 0..<rows.count {
      let place = SavedRows.Place(rows[row])
      if self.rows[place] == nil { self.rows[place] = row }
    }
  }

  mutating func add(_ row: Int, _ place: Orphan.Place, in parent: Int?) {
    rows[Self.place(place, in: parent)] = row
    known[ObjectIdentifier(place)] = row
  }

  /// The row with a place; the places above it are looked up first.
  mutating func row(of place: Orphan.Place) -> Int? {
    var lineage: [Orphan.Place] = []
    var parent: Int?
    var next: Orphan.Place? = place
    while let member = next {
      if let row = known[ObjectIdentifier(member)] {
        parent = row
        break
      }
      lineage.append(member)
      next = member.parent
    }
    for member in lineage.reversed() {
      guard let row = rows[Self.place(member, in: parent)] else { return nil }
      known[ObjectIdentifier(member)] = row
      parent = row
    }
    return parent
  }

  private static func place(_ place: Orphan.Place, in parent: Int?) -> SavedRows.Place {
    SavedRows.Place(place.identifier, place.kind, ordinal: place.ordinal, in: parent)
  }
}
