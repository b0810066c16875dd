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

  /// Whether an object may decode the record of a row, by the class rule (Spec/restoration.md, section 5).
  mutating func mayDecode(
    _ object: any RestorableObject, _ row: Int, typeName: String, byteCount: Int,
    _ registry: RestorationRegistry
  ) -> Bool {
    let (number, type) = (saved.number(of: typeName), types.number(of: object))
    typeNumbers[row] = Int32(truncatingIfNeeded: number)
    byteCounts[row] = UInt32(clamping: byteCount)
    // The objects of one type mostly follow each other.
    if last.saved != number || last.type != type {
      last = (number, type, registry.isObject(object, ofTypeNamed: typeName))
    }
    return last.isMatch
  }

  /// The name of an object's type, if its implementations have to call `super`.
  mutating func nameOfTypeRequiringSuperclassCall(_ object: any RestorableObject) -> String? {
    let type = types.number(of: object)
    return types.requirements[type] ? types.names[type] : nil
  }
}
