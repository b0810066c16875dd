import KeepsakeArchive

// The unclaimed records of the last restore (Spec/restoration.md, section 6).
extension SaveSession {
  /// Writes the unclaimed records of the last restore, after those of all objects.
  ///
  /// A record is dropped if an object has its place now, or if its parent no longer exists.
  func writeUnclaimedRecords(into writer: inout ArchiveWriter) throws {
    guard !unclaimed.records.isEmpty else { return }
    var found = RowsByPlace(rows)
    var kept: [UnclaimedRecord] = []
    for former in unclaimed.records where found.row(of: former.place) == nil {
      let parent = former.place.parent.map { found.row(of: $0) }
      if let parent, parent == nil { continue }
      found.add(rows.count, former.place, in: parent ?? nil)
      rows.addUnclaimed(row(for: former, in: parent ?? nil))
      kept.append(former)
    }
    for former in kept {
      try former.write(as: writer.nextObjectID, into: &writer) { id in
        unclaimed.formerPlaces[id].flatMap { found.row(of: $0) }.map(Self.id(ofRow:))
      }
      rows.report(
        .unclaimed, at: former.path,
        "The state of \(former.path), which no object claimed at the last launch, is kept for one more."
      )
    }
  }

  private func row(for former: UnclaimedRecord, in parent: Int?) -> ObjectRow {
    // A kept record is not a child of a container: it is only for an object that exists already.
    let role = former.role.kind == .node ? .node : former.role
    var row = ObjectRow(
      former.path.identifier, as: role, in: parent, depth: former.path.count,
      ordinal: former.place.ordinal, record: Self.id(ofRow: rows.count))
    row.flags = [.unclaimed]
    if former.isStateless { row.flags.insert(.stateless) }
    if former.template != nil { row.flags.insert(.template) }
    if let name = former.className {
      row.classNumber = UInt32(rows.classNames.number(of: name) + 1)
    }
    return row
  }
}

/// The rows of a save by their places.
@MainActor
private struct RowsByPlace {
  private var rows: [SavedRows.Place: Int] = [:]
  /// The rows of places that were looked up before; the places of siblings share the place of their parent.
  private var known: [ObjectIdentifier: Int] = [:]

  init(_ rows: borrowing SavedRows) {
    for row in 0..<rows.count {
      let place = SavedRows.Place(rows[row])
      if self.rows[place] == nil { self.rows[place] = row }
    }
  }

  mutating func add(_ row: Int, _ place: UnclaimedRecord.Place, in parent: Int?) {
    rows[Self.place(place, in: parent)] = row
    known[ObjectIdentifier(place)] = row
  }

  /// The row with a place; the places above it are looked up first.
  mutating func row(of place: UnclaimedRecord.Place) -> Int? {
    var lineage: [UnclaimedRecord.Place] = []
    var parent: Int?
    var next: UnclaimedRecord.Place? = place
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

  private static func place(_ place: UnclaimedRecord.Place, in parent: Int?) -> SavedRows.Place {
    SavedRows.Place(place.identifier, place.kind, ordinal: place.ordinal, in: parent)
  }
}
