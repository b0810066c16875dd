/// What became of the records of a restore when their objects decoded.
///
/// It is handed from row to row while they do: what is asked of a session is checked each time.
struct Decoded {
  /// What is known of the types and records of the rows whose turn it was.
  var records: RecordTable
  /// The rows whose objects have decoded their state.
  var isRestored: [Bool]

  @MainActor
  init(count: Int) {
    records = RecordTable(count: count)
    isRestored = Array(repeating: false, count: count)
  }
}

/// The records of a restore: the type that each was saved as, its size, and the class rule.
@MainActor
struct RecordTable {
  /// The number of the name of each row's type; -1 while it is not known.
  private(set) var typeNumbers: [Int32]
  private(set) var byteCounts: [UInt32]
  private var saved = NameTable()
  private var types = TypeTable()
  /// The last answer of the class rule.
  private var last: (saved: Int, type: Int, isMatch: Bool) = (-1, -1, false)

  init(count: Int) {
    typeNumbers = Array(repeating: -1, count: count)
    byteCounts = Array(repeating: 0, count: count)
  }

  /// The distinct names of the types that were saved.
  var names: [String] { saved.names }

  /// What the class rule says of an object and the record of its row.
  struct Permission {
    let isGranted: Bool
    /// The name of the object's type, if its implementations have to call `super`.
    let typeRequiringSuperclassCall: String?
  }

  /// Whether an object may decode the record of a row, by the class rule (Spec/restoration.md, section 5).
  mutating func permission(
    for object: any RestorableObject, _ row: Int, typeName: String, byteCount: Int,
    _ registry: RestorationRegistry
  ) -> Permission {
    let (number, type) = (saved.number(of: typeName), types.number(of: object))
    typeNumbers[row] = Int32(truncatingIfNeeded: number)
    byteCounts[row] = UInt32(clamping: byteCount)
    // The objects of one type mostly follow each other.
    if last.saved != number || last.type != type {
      last = (number, type, registry.isObject(object, ofTypeNamed: typeName))
    }
    return Permission(
      isGranted: last.isMatch,
      typeRequiringSuperclassCall: types.requirements[type] ? types.names[type] : nil)
  }
}
