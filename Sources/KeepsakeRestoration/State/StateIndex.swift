import KeepsakeArchive

/// The last record of a saved state: the row of every object, and the tree that the rows form.
///
/// An object's own record holds only its encoded values; its place in the tree is stored here, so that a launch reads
/// the whole tree at once. In the bytes, the rows are stored as columns: each column has one field of all rows
/// (Spec/restoration.md, section 1).
struct StateIndex: Sendable {
  static let typeName = "Keepsake.Index"
  static let applicationTypeName = "Keepsake.Application"

  var application = ArchiveReference(nil)
  var rows: [ObjectRow] = []
  var classNames: [String] = []
  /// The row of each window's root; nil for a root that was not saved.
  var windows: [Int?] = []
  /// True when the next launch shows no snapshot of the interface.
  var ignoresSnapshot = false

  init() {}

  /// The name of a restoration class by its number in a row.
  func className(_ number: UInt32) -> String? {
    number > 0 && number <= classNames.count ? classNames[Int(number) - 1] : nil
  }
}

// The columns.
extension StateIndex {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(application, forKey: "application")
    coder.encode(column { ArchiveReference(rows[$0].record) }, forKey: "objects")
    coder.encode(column { rows[$0].identifier }, forKey: "identifiers")
    coder.encode(column { rows[$0].role.rawValue }, forKey: "roles")
    coder.encode(column { Self.number(rows[$0].parent) }, forKey: "parents")
    coder.encode(windows.map(Self.number), forKey: "windows")
    encodeUnlessZero({ rows[$0].ordinal }, "ordinals", with: &coder)
    encodeUnlessZero({ rows[$0].rank }, "ranks", with: &coder)
    encodeUnlessZero({ rows[$0].flags.rawValue }, "flags", with: &coder)
    if !classNames.isEmpty {
      encodeUnlessZero({ rows[$0].classNumber }, "restorationClasses", with: &coder)
      coder.encode(classNames, forKey: "restorationClassNames")
    }
    if ignoresSnapshot { coder.encode(true, forKey: "ignoresSnapshot") }
  }

  /// One value of each row.
  @inline(__always)
  private func column<Value>(_ value: (Int) -> Value) -> [Value] {
    var column: [Value] = []
    column.reserveCapacity(rows.count)
    for row in rows.indices { column.append(value(row)) }
    return column
  }

  /// Writes a column that most states leave out, because all its numbers are zero.
  @inline(__always)
  private func encodeUnlessZero<Number: ArchiveValue & FixedWidthInteger>(
    _ value: (Int) -> Number, _ key: ArchiveKey, with coder: inout ObjectEncoder
  ) {
    if rows.indices.contains(where: { value($0) != 0 }) { coder.encode(column(value), forKey: key) }
  }

  /// The number of a row in the bytes, from 1; 0 for nil.
  private static func number(_ row: Int?) -> UInt32 {
    row.map { UInt32(clamping: $0 + 1) } ?? 0
  }

  /// Reads the index of an archive.
  ///
  /// Its columns must be equally long. A row that no save would write becomes a malformed row.
  init(of archive: Archive) throws(ArchiveError) {
    let coder = try archive.object(archive.rootID)
    guard coder.typeName == Self.typeName else {
      throw ArchiveError(.damaged, "the root is a \(coder.typeName), not the index of a state")
    }
    application = try coder.decode(forKey: "application")
    let objects: [ArchiveReference] = try coder.decode(forKey: "objects")
    let identifiers: [String] = try coder.decode(forKey: "identifiers")
    let roles: [UInt8] = try coder.decode(forKey: "roles")
    let parents: [UInt32] = try coder.decode(forKey: "parents")
    let windows: [UInt32] = try coder.decode(forKey: "windows")
    let ordinals: [UInt32] = try coder.decodeIfPresent(forKey: "ordinals") ?? []
    let ranks: [UInt32] = try coder.decodeIfPresent(forKey: "ranks") ?? []
    let classes: [UInt32] = try coder.decodeIfPresent(forKey: "restorationClasses") ?? []
    let flags: [UInt8] = try coder.decodeIfPresent(forKey: "flags") ?? []
    classNames = try coder.decodeIfPresent(forKey: "restorationClassNames") ?? []
    ignoresSnapshot = try coder.decodeIfPresent(forKey: "ignoresSnapshot") ?? false
    let count = identifiers.count
    guard objects.count == count, roles.count == count, parents.count == count,
      [ordinals.count, ranks.count, classes.count, flags.count].allSatisfy({
        [0, count].contains($0)
      })
    else {
      throw ArchiveError(.damaged, "the columns of the index are not equally long")
    }
    self.windows = windows.map { $0 == 0 ? nil : Int($0) - 1 }
    var claims = RecordClaims(of: archive, application: application)
    var rows: [ObjectRow] = []
    rows.reserveCapacity(count)
    for row in 0..<count {
      let parent = parents[row] == 0 ? nil : Int(parents[row]) - 1
      let record = objects[row].objectID
      guard let role = ObjectRow.Role(rawValue: roles[row]) else {
        // A row without a role has no object, whatever its identifier is.
        rows.append(ObjectRow(malformed: "", as: .node, record))
        continue
      }
      guard let depth = Self.depth(of: row, identifiers[row], in: parent, rows),
        claims.claim(record)
      else {
        rows.append(ObjectRow(malformed: identifiers[row], as: role, record))
        continue
      }
      rows.append(
        ObjectRow(
          identifiers[row], as: role, in: parent, depth: depth,
          ordinal: ordinals.isEmpty ? 0 : ordinals[row], record: record))
      if !ranks.isEmpty { rows[row].rank = ranks[row] }
      if !classes.isEmpty { rows[row].classNumber = classes[row] }
      if !flags.isEmpty { rows[row].flags = ObjectRow.Flags(rawValue: flags[row]) }
    }
    self.rows = rows
  }

  /// The number of components of a row's path; nil for a row without an identifier, and for one whose parent does not
  /// come before it or is at the maximum depth.
  private static func depth(
    of row: Int, _ identifier: String, in parent: Int?, _ rows: [ObjectRow]
  ) -> Int? {
    guard !identifier.isEmpty else { return nil }
    guard let parent else { return 1 }
    guard parent < row, rows[parent].depth < RestorationPath.maximumCount else { return nil }
    return rows[parent].depth + 1
  }
}

/// The records of an archive that a row may still claim; each record belongs to one row at most.
///
/// The application's record and the index are taken from the start.
private struct RecordClaims {
  private var isClaimed: [Bool]

  init(of archive: Archive, application: ArchiveReference) {
    isClaimed = Array(repeating: false, count: archive.objectCount + 1)
    _ = claim(archive.rootID)
    _ = claim(application.objectID)
  }

  /// Claims a record for a row; false when there is no such record, or another row has it.
  mutating func claim(_ record: ArchiveObjectID?) -> Bool {
    guard let record, record.rawValue > 0, Int(record.rawValue) < isClaimed.count,
      !isClaimed[Int(record.rawValue)]
    else { return false }
    isClaimed[Int(record.rawValue)] = true
    return true
  }
}
