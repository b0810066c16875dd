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

  /// As many as a power of two, each for the keys that lead to it: the last of them is in it.
  private var rows = RawTable<Row>(capacity: 0)
  /// How many keys were put in rows since there are so many.
  private var rememberedCount = 0
  /// The record that had the key of each number last.
  private var lastRecords = RawTable<UInt64>(capacity: 0)
  private var record: UInt64 = 0

  /// Makes so many rows without keys.
  private mutating func setRowCount(_ count: Int) {
    rows.truncate(to: 0)
    for _ in 0..<count { rows.append(Row(identity: StringIdentity(), space: 0, number: 0)) }
    rememberedCount = 0
  }

  private func index(_ identity: StringIdentity) -> Int {
    Int(truncatingIfNeeded: identity.mixed >> 32) & (rows.count - 1)
  }

  private static func space(_ node: PlanNode) -> UInt64 { node.signature & 0xFFFF_FFFF_0000_0002 }

  /// The number of a step's key, if it is known here.
  func number(of node: PlanNode) -> UInt32? {
    if rememberedCount == 0 { return nil }
    let row = rows[index(node.identity)]
    guard row.number != 0, row.identity == node.identity, row.space == Self.space(node) else {
      return nil
    }
    return row.number - 1
  }

  /// Remembers the number of a step's key.
  ///
  /// The plan keeps the string alive whose bits these are.
  mutating func remember(_ number: UInt32, of node: PlanNode) {
    if rows.count == 0 {
      setRowCount(32)
    } else if rememberedCount > rows.count / 2, rows.count < 4096 {
      setRowCount(4 * rows.count)
    }
    rememberedCount += 1
    rows[index(node.identity)] = Row(
      identity: node.identity, space: Self.space(node), number: number + 1)
  }

  /// Forgets all numbers, some of which were taken back.
  mutating func forget() {
    setRowCount(rows.count)
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
