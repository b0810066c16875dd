/// The rows of a save: the index that is written, what is known of each object beside it, and what was
/// left out.
///
/// All of it is one value, so that what a container adds is one access to it.
@MainActor
struct SavedRows: ~Copyable {
  private struct Row {
    let participant: Participant
    let depth: UInt16
    /// Whether the places of what lies directly below are in the table.
    var isTabled = false
    /// Where what was reached below this row begins; known when the row is encoded.
    var firstMember: UInt32 = 0
  }

  /// A container with more members is searched by a table.
  private static let comparedCount = 16

  var index = StateIndex()
  private var rows: [Row] = []
  private var types = TypeTable()
  /// The number of each row's type in the names of types.
  private(set) var typeNumbers: [Int32] = []
  /// The size of each record that was written.
  var byteCounts: [UInt32] = []
  /// The row of each object, once something asked for one.
  ///
  /// An object is contained in one place, so that the walk alone never meets it again.
  private var identities = IdentityTable()
  private var isIdentified = false
  private var places = PlaceTable()
  let registry: RestorationRegistry
  var classes = SavedClasses()
  var notices = DiagnosticList()
  /// The nodes without identifiers that were met.
  var pruned: [Pruned] = []
  /// The number of rows whose collecting has begun.
  private var collectedCount = 0

  init(registry: RestorationRegistry) {
    self.registry = registry
  }

  var count: Int { rows.count }
  var typeNames: [String] { types.names }

  /// The row of an object that may have been reached by any way.
  mutating func row(of object: any RestorableObject) -> Int? {
    identify()
    return identities.value(of: object)
  }

  /// The row of an object that is contained, if it is known that something else may have reached it.
  func row(ofContained object: any RestorableObject) -> Int? {
    isIdentified ? identities.value(of: object) : nil
  }

  /// Lets objects be found.
  mutating func identify() {
    guard !isIdentified else { return }
    isIdentified = true
    identities = IdentityTable(capacity: rows.count)
    for row in 0..<rows.count { _ = identities.insert(rows[row].participant.object, row) }
  }
  func participant(_ row: Int) -> Participant { rows[row].participant }
  func typeName(_ row: Int) -> String { types.names[Int(typeNumbers[row])] }

  /// The type with a number, as the objects of it are written.
  func type(_ number: Int) -> SavedType {
    SavedType(
      number: number, name: types.names[number],
      requiresSuperclassCall: types.requirements[number])
  }

  func depth(_ row: Int) -> Int { Int(rows[row].depth) }

  var diagnostics: [RestorationDiagnostic] { notices.all }

  @discardableResult
  mutating func report(
    _ code: RestorationDiagnostic.Code, at path: RestorationPath?,
    _ message: String
  ) -> Int? {
    notices.report(code, at: path, message)
  }

  /// Begins to collect what lies below a row; rows are collected in their order.
  mutating func beginCollecting(_ row: Int) {
    rows[row].firstMember = UInt32(truncatingIfNeeded: rows.count)
    collectedCount = row + 1
  }

  /// Adds a member of the row that is being collected.
  ///
  /// - Returns: Its row, or `nil` after it was reported why it has none.
  mutating func addMember(
    _ participant: consuming Participant, as role: StateIndex.Role, _ identifier: String,
    in parent: Int,
    ordinal: UInt32 = 0
  ) -> Int? {
    guard let row = append(participant, as: role, identifier, in: parent, ordinal) else {
      return nil
    }
    let first = Int(rows[parent].firstMember)
    if !rows[parent].isTabled {
      if row - first < Self.comparedCount {
        for other in first..<row where index.identifiers[other] == identifier {
          if PlaceTable.isSamePlace(row, other, of: index) || isSameObject(row, other) {
            return takeBack(row, inFavourOf: other)
          }
        }
        return row
      }
      table(parent)
    }
    if let other = places.insert(row, of: index), other != row {
      return takeBack(row, inFavourOf: other)
    }
    return row
  }

  /// Adds an object that was reached by other ways than its container.
  ///
  /// - Returns: Its row, or `nil` after it was reported why it has none.
  mutating func addReferred(
    _ participant: consuming Participant, as role: StateIndex.Role, _ identifier: String,
    in parent: Int?,
    ordinal: UInt32 = 0
  ) -> Int? {
    guard let row = append(participant, as: role, identifier, in: parent, ordinal) else {
      return nil
    }
    if let parent, !rows[parent].isTabled { table(parent) }
    if let other = places.insert(row, of: index), other != row {
      return takeBack(row, inFavourOf: other)
    }
    return row
  }

  /// Puts the places of all that lies below a row into the table.
  private mutating func table(_ parent: Int) {
    rows[parent].isTabled = true
    guard parent < collectedCount else { return }
    // What lies below was added while it was collected or encoded, before the next row was.
    let next = parent + 1
    let end = next < collectedCount ? Int(rows[next].firstMember) : rows.count
    for row in Int(rows[parent].firstMember)..<end where index.parent(row) == parent {
      _ = places.insert(row, of: index)
    }
  }

  private mutating func append(
    _ participant: consuming Participant, as role: StateIndex.Role, _ identifier: String,
    in parent: Int?, _ ordinal: UInt32
  ) -> Int? {
    var depth: UInt16 = 1
    if let parent { depth += rows[parent].depth }
    guard depth <= RestorationPath.maximumCount else {
      reportTooDeep(participant.object, in: parent)
      return nil
    }
    let row = rows.count
    if isIdentified { _ = identities.insert(participant.object, row) }
    index.append(identifier, as: role, in: parent, ordinal: ordinal)
    typeNumbers.append(Int32(truncatingIfNeeded: types.number(of: participant)))
    rows.append(Row(participant: participant, depth: depth))
    return row
  }

  private mutating func reportTooDeep(_ object: any RestorableObject, in parent: Int?) {
    report(
      .pruned, at: parent.map { index.path($0) },
      "A \(Swift.type(of: object).restorationTypeName) was left out with everything below it, because "
        + "it has more than \(RestorationPath.maximumCount - 1) ancestors; nest less deeply.")
  }

  private func isSameObject(_ row: Int, _ other: Int) -> Bool {
    rows[row].participant.object === rows[other].participant.object
  }

  /// Takes a row away again, whose place another one has.
  ///
  /// - Returns: The other row, if the object was listed twice and that is its own.
  private mutating func takeBack(_ row: Int, inFavourOf other: Int) -> Int? {
    if isSameObject(row, other) {
      truncate(to: row)
      return other
    }
    let path = index.path(row)
    let (first, second) = (typeName(other), typeName(row))
    truncate(to: row)
    report(
      .duplicatePath, at: path,
      "A \(second) was left out, because a \(first) has the same path \(path); give them "
        + "different restoration identifiers.")
    return nil
  }

  /// Forgets the rows from a number on.
  mutating func truncate(to count: Int) {
    while rows.count > count {
      places.remove(rows.count - 1, of: index)
      let object = rows.removeLast().participant.object
      // An object that was listed twice keeps the row that it had first.
      if isIdentified, identities.value(of: object) == rows.count { identities.remove(object) }
      index.truncate(to: rows.count)
    }
    typeNumbers.removeLast(typeNumbers.count - count)
  }
}
