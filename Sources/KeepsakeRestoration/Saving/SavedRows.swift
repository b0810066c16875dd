import KeepsakeArchive

/// The rows of a save, and the notices about objects that were left out.
///
/// A row is added once, when its object is first reached. All of it is one value, so that adding the objects of a
/// container takes one exclusive access.
@MainActor
struct SavedRows: ~Copyable {
  /// The key that is unique among the rows below one parent (Spec/restoration.md, section 2, rule 6).
  struct Place: Hashable {
    let parent: Int?
    let identifier: NameKey
    let kind: ReportedObject.Kind
    let ordinal: UInt32

    init(
      _ identifier: String, _ kind: ReportedObject.Kind, ordinal: UInt32, in parent: Int?
    ) {
      self.parent = parent
      self.identifier = NameKey(identifier)
      self.kind = kind
      self.ordinal = ordinal
    }

    init(_ row: borrowing ObjectRow) {
      self.init(row.identifier, row.role.kind, ordinal: row.ordinal, in: row.parent)
    }
  }

  /// The members of a container, added when it was collected.
  private struct Members {
    /// The row of the first one; the members end at the first row of the next container.
    var first: Int
    /// True when all rows below the container are in the table of places.
    var isInTable = false
  }

  /// A restoration class that rows name.
  private struct SavedClass {
    let identifier: ObjectIdentifier
    /// The number of its name, from 1.
    let number: UInt32
    let isRegistered: Bool
  }

  /// A container with more members is searched with a table.
  private static let comparedCount = 16

  private(set) var rows: [ObjectRow] = []
  var windows: [Int?] = []
  var classNames = NameTable()
  private(set) var types = TypeTable()
  private let registry: RestorationRegistry
  private let registeredObjects: RegisteredObjects
  private var notices = DiagnosticList()
  /// The members of each collected container, by its row.
  private var members: [Members] = []
  /// A filter of the identifiers in the container that is being collected; each identifier sets one of 64 bits.
  ///
  /// An identifier whose bit is not set is new, and most are: the identifiers of siblings usually differ in their last
  /// character.
  private var marks: UInt64 = 0
  /// The containers with rows below them that were added before the container was collected.
  private var referredParents: Set<Int> = []
  private var places: [Place: Int] = [:]
  /// The class of the previous node; the next one usually has the same.
  private var lastClass: SavedClass?
  /// The row of each object; nil until the first lookup: the walk alone reaches an object with a single container
  /// only once.
  private var rowsByObject: [ObjectIdentifier: Int]?
  /// The nodes that were left out with everything below them.
  var leftOut: [LeftOut] = []
  /// True when a node was left out that the user may see.
  private(set) var hasLeftOutNodes = false

  /// Reserves memory for the expected number of rows.
  init(
    registry: RestorationRegistry, registeredObjects: RegisteredObjects, expectedCount: Int
  ) {
    self.registry = registry
    self.registeredObjects = registeredObjects
    rows.reserveCapacity(expectedCount)
    members.reserveCapacity(expectedCount)
  }

  var count: Int { rows.count }
  var diagnostics: [RestorationDiagnostic] { notices.all }

  subscript(row: Int) -> ObjectRow {
    _read { yield rows[row] }
    _modify { yield &rows[row] }
  }

  mutating func path(_ row: Int) -> RestorationPath { rows.path(row) }

  @discardableResult
  mutating func report(
    _ code: RestorationDiagnostic.Code, at path: RestorationPath?, _ message: String
  ) -> Int? {
    notices.report(code, at: path, message)
  }

  mutating func amend(_ notice: Int, _ sentence: String) { notices.amend(notice, sentence) }

  mutating func row(of object: any RestorableObject) -> Int? {
    identify()
    return rowsByObject?[ObjectIdentifier(object)]
  }

  /// The row of an object that its container lists; looked up only when something else may have reached it.
  func row(ofContained object: any RestorableObject) -> Int? {
    rowsByObject?[ObjectIdentifier(object)]
  }

  /// Builds the table of the objects' rows.
  mutating func identify() {
    guard rowsByObject == nil else { return }
    var found: [ObjectIdentifier: Int] = [:]
    found.reserveCapacity(rows.count)
    for row in rows.indices {
      if let object = rows[row].participant?.object { found[ObjectIdentifier(object)] = row }
    }
    rowsByObject = found
  }
}

// Adding rows.
extension SavedRows {
  /// Begins to collect the objects below a row; rows are collected in their order.
  mutating func beginCollecting() {
    let isReferred = !referredParents.isEmpty && referredParents.contains(members.count)
    members.append(Members(first: rows.count, isInTable: isReferred))
    marks = 0
  }

  /// Adds a row for an object that has none; nil after the object was reported as left out.
  mutating func add(
    _ participant: consuming Participant, as role: ObjectRow.Role, _ identifier: String,
    in parent: Int?, ordinal: UInt32 = 0
  ) -> Int? {
    let typeNumber = types.number(of: participant.type)
    guard types.isStable(typeNumber) else {
      leaveOut(
        participant, in: parent, .unstableTypeName,
        "because its type is private, local or generic over such a type, and so has another name in "
          + "every process; give the type a restorationTypeName.")
      return nil
    }
    var depth = 1
    if let parent { depth = rows[parent].depth + 1 }
    guard depth <= RestorationPath.maximumCount else {
      leaveOut(
        participant, in: parent, .pruned,
        "because it has more than \(RestorationPath.maximumCount - 1) ancestors; nest less deeply.")
      return nil
    }
    if mayHaveEarlierRow(identifier, in: parent) {
      let place = Place(identifier, role.kind, ordinal: ordinal, in: parent)
      if let other = earlierRow(at: place, participant) {
        if rows[other].participant?.object === participant.object { return other }
        reportDuplicate(of: other, participant)
        return nil
      }
    }
    let number = rows.count
    if isInTable(parent) {
      places[Place(identifier, role.kind, ordinal: ordinal, in: parent)] = number
      if let parent, parent >= members.count { referredParents.insert(parent) }
    }
    if rowsByObject != nil { rowsByObject?[ObjectIdentifier(participant.object)] = number }
    rows.append(
      ObjectRow(
        identifier, as: role, in: parent, depth: depth, ordinal: ordinal,
        record: SaveSession.id(ofRow: number), typeNumber: typeNumber, participant))
    return number
  }

  /// Whether an earlier row may have the place of a new one.
  private mutating func mayHaveEarlierRow(_ identifier: String, in parent: Int?) -> Bool {
    guard let parent, parent == members.count - 1, !members[parent].isInTable else { return true }
    let mark: UInt64 = 1 << (UInt64(identifier.lastByte ?? 0) & 63)
    defer { marks |= mark }
    return marks & mark != 0
  }

  /// The earlier row with the place of a new one.
  private mutating func earlierRow(at place: Place, _ participant: Participant) -> Int? {
    if let parent = place.parent, !isInTable(parent) {
      if parent == members.count - 1, rows.count - members[parent].first < Self.comparedCount {
        for other in members[parent].first..<rows.count
        where rows[other].parent == parent
          && rows[other].identifier.hasSameBytes(as: place.identifier.name)
          && isSamePlaceOrObject(other, place, participant)
        {
          return other
        }
        return nil
      }
      table(parent)
    }
    return places[place]
  }

  private func isSamePlaceOrObject(
    _ other: Int, _ place: Place, _ participant: Participant
  ) -> Bool {
    // A child that a stack lists twice has two ordinals.
    rows[other].participant?.object === participant.object
      || rows[other].ordinal == place.ordinal && rows[other].role.kind == place.kind
  }

  private func isInTable(_ parent: Int?) -> Bool {
    // Rows below a container that has not been collected yet come from references, and are in the table.
    guard let parent, parent < members.count else { return true }
    return members[parent].isInTable
  }

  /// Adds all rows below a container to the table of places.
  private mutating func table(_ parent: Int) {
    members[parent].isInTable = true
    let end = parent + 1 < members.count ? members[parent + 1].first : rows.count
    for row in members[parent].first..<end where rows[row].parent == parent {
      places[Place(rows[row])] = row
    }
  }

  private mutating func reportDuplicate(of other: Int, _ participant: Participant) {
    if participant.node != nil { hasLeftOutNodes = true }
    let path = rows.path(other)
    let kept = rows[other].participant.map { StableName.shown(of: $0.object) } ?? ""
    let leftOut = StableName.shown(of: participant.object)
    // The roots of windows are added before anything below them is collected.
    if members.isEmpty, let window = windows.firstIndex(of: other) {
      report(
        .duplicatePath, at: path,
        "The root of window \(windows.count + 1), a \(leftOut), was left out with everything below it, because the root "
          + "of window \(window + 1), a \(kept), has the same path \(path). Give the roots of the windows of one state "
          + "different restoration identifiers, or keep the state of each window in a session of its own: "
          + "that is what StateSessions is for.")
      return
    }
    report(
      .duplicatePath, at: path,
      "A \(leftOut) was left out, because a \(kept) has the same path \(path); give them "
        + "different restoration identifiers.")
  }

  mutating func truncate(to count: Int) {
    while let row = rows.last, rows.count > count {
      rows.removeLast()
      if isInTable(row.parent) { places[Place(row)] = nil }
      if let object = row.participant?.object {
        rowsByObject?[ObjectIdentifier(object)] = nil
      }
    }
  }

  /// Adds the row of a record that was kept from the previous archive.
  mutating func addUnclaimed(_ row: ObjectRow) { rows.append(row) }

  /// Moves the rows to the index; no row is added after that.
  mutating func takeRows() -> [ObjectRow] {
    defer { rows = [] }
    return rows
  }

  /// Reports an object that is left out, a node with everything below it.
  mutating func leaveOut(
    _ participant: Participant, in row: Int?, _ code: RestorationDiagnostic.Code, _ reason: String
  ) {
    let parentPath = row.map { rows.path($0) }
    let location = parentPath.map { "below \($0)" } ?? "at the root of a window"
    let extent = participant.node == nil ? "was left out" : "was left out with everything below it"
    let notice = report(
      code, at: parentPath,
      "A \(StableName.shown(of: participant.object)) \(location) \(extent), \(reason)")
    if let node = participant.node {
      hasLeftOutNodes = true
      if let notice { leftOut.append(LeftOut(node: node, notice: notice)) }
    }
  }
}

// Restoration classes and templates.
extension SavedRows {
  /// Records the restoration class and the template of a node, reports unregistered names, and returns the template.
  mutating func describeOrigin(of row: Int, _ node: any RestorableNode) -> String? {
    if let restorationClass = node.restorationClass {
      setClass(ObjectIdentifier(restorationClass), of: row) { registry in
        let name = restorationClass.restorationClassName
        return (name, registry.restorationClass(named: name) != nil)
      }
    }
    guard let template = node.restorationTemplate else { return nil }
    rows[row].flags.insert(.template)
    if registry.template(named: template) == nil {
      reportUnregistered("template \"\(template)\"", of: row)
    }
    return template
  }

  /// Records the restoration class of a registered object, and reports an unregistered name.
  mutating func describeOrigin(of row: Int, object: any RestorableObject) {
    guard let restorationClass = registeredObjects.restorationClass(of: object) else { return }
    setClass(ObjectIdentifier(restorationClass), of: row) { registry in
      let name = restorationClass.restorationClassName
      return (name, registry.objectRestorationClass(named: name) != nil)
    }
  }

  private mutating func setClass(
    _ identifier: ObjectIdentifier, of row: Int,
    _ describe: (RestorationRegistry) -> (name: String, isRegistered: Bool)
  ) {
    if lastClass?.identifier != identifier {
      let described = describe(registry)
      lastClass = SavedClass(
        identifier: identifier, number: UInt32(classNames.number(of: described.name) + 1),
        isRegistered: described.isRegistered)
    }
    guard let lastClass else { return }
    rows[row].classNumber = lastClass.number
    if !lastClass.isRegistered {
      let name = StableName.shown(classNames.names[Int(lastClass.number) - 1])
      reportUnregistered("restoration class \(name)", of: row)
    }
  }

  private mutating func reportUnregistered(_ name: String, of row: Int) {
    let path = rows.path(row)
    report(
      .unregisteredClass, at: path,
      "The \(name) of \(path) is not registered, so the next launch cannot restore it; register it "
        + "with the RestorationRegistry.")
  }
}
