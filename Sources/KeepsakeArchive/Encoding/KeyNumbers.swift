/// The numbers that keys have in the tables, by the bits of the plan's steps: a record that leaves another key
/// out than those before makes a new shape of keys that nearly all have numbers.
struct KeyNumbers: ~Copyable {
  /// A key that has a number.
  struct Row: BitwiseCopyable {
    var identity: StringIdentity
    /// The scope, and whether the key is a reserved one.
    var space: UInt64
    /// One more than the number, 0 in a row of no key.
    var number: UInt32
  }

  /// As many as a power of two, of which half have no key: a key is in the row that its bits lead to, or in the
  /// first free one after it.
  private var rows = RawTable<Row>(capacity: 32)
  private var rememberedCount = 0
  /// Whether each key that has a number, and bits that are its bytes, is in a row: one that is not there is new.
  private var isComplete = true
  /// The record that had the key of each number last.
  private var lastRecords = RawTable<UInt32>(capacity: 64)
  private var record: UInt32 = 0

  init() {
    setRowCount(32)
  }

  /// Makes so many rows without keys.
  private mutating func setRowCount(_ count: Int) {
    rows.truncate(to: 0)
    rows.append(
      repeating: Row(identity: StringIdentity(), space: 0, number: 0), count: count)
    rememberedCount = 0
  }

  /// Where a key is, or the free row where it would be.
  private func index(_ identity: StringIdentity, _ space: UInt64) -> Int {
    var index = Int(truncatingIfNeeded: identity.mixed >> 32) & (rows.count &- 1)
    while rows[index].number != 0,
      rows[index].identity != identity || rows[index].space != space
    {
      index = (index &+ 1) & (rows.count &- 1)
    }
    return index
  }

  private static func space(_ node: PlanNode) -> UInt64 { node.signature & 0xFFFF_FFFF_0000_0002 }

  /// The number of a step's key, if it is known here.
  func number(of node: PlanNode) -> UInt32? {
    let number = rows[index(node.identity, Self.space(node))].number
    return number == 0 ? nil : number - 1
  }

  /// Whether a key that is not known here has no number.
  func isNew(_ node: PlanNode) -> Bool { isComplete && node.identity.isContent }

  /// Remembers the number of a step's key, which is not known here.
  ///
  /// The plan keeps the string alive whose bits these are.
  mutating func remember(_ number: UInt32, of node: PlanNode, byteCount: Int) {
    if !node.identity.isContent, byteCount <= StringIdentity.contentByteCount { isComplete = false }
    if 2 * rememberedCount >= rows.count {
      guard rows.count < 4096 else {
        isComplete = false
        return
      }
      grow()
    }
    rememberedCount += 1
    let space = Self.space(node)
    rows[index(node.identity, space)] = Row(
      identity: node.identity, space: space, number: number + 1)
  }

  private mutating func grow() {
    let known = (0..<rows.count).map { rows[$0] }.filter { $0.number != 0 }
    setRowCount(4 * rows.count)
    rememberedCount = known.count
    for row in known { rows[index(row.identity, row.space)] = row }
  }

  /// Forgets all numbers, some of which were taken back.
  ///
  /// - Parameter areLeft: Whether others were not.
  mutating func forget(areLeft: Bool) {
    setRowCount(rows.count)
    isComplete = !areLeft
  }

  /// Begins a record, which has no keys yet.
  mutating func beginRecord() { record += 1 }

  /// Adds a key by its number; false if the record has it already.
  mutating func add(_ number: UInt32) -> Bool {
    while lastRecords.count <= Int(number) { lastRecords.append(0) }
    if lastRecords[Int(number)] == record { return false }
    lastRecords[Int(number)] = record
    return true
  }
}
