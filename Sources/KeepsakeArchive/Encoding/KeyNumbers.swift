/// A cache of the numbers that keys have in the tables, by the bits of the plan's steps.
///
/// A record that omits another key than the records before makes a new shape, and nearly all of its keys have
/// numbers.
struct KeyNumbers: ~Copyable {
  /// A key with its number.
  struct Row: BitwiseCopyable {
    var identity: StringIdentity
    /// The scope, and whether the key is a reserved one (``StepSignature/keySpace``).
    var space: UInt64
    /// One more than the number, or ``noKey``.
    var number: UInt32

    /// The value of ``number`` in a row without a key.
    static var noKey: UInt32 { 0 }
  }

  /// A power of two of rows.
  ///
  /// A row holds the key that was remembered last of those whose bits lead to it.
  private var rows = RawTable<Row>(capacity: 0)
  /// The keys that were remembered since the rows were made.
  private var rememberedCount = 0
  /// The last record that had the key of each number.
  private var lastRecords = RawTable<UInt64>(capacity: 0)
  private var record: UInt64 = 0

  /// Makes rows without keys.
  private mutating func setRowCount(_ count: Int) {
    rows.truncate(to: 0)
    for _ in 0..<count { rows.append(Row(identity: StringIdentity(), space: 0, number: Row.noKey)) }
    rememberedCount = 0
  }

  private func index(_ identity: StringIdentity) -> Int {
    Int(truncatingIfNeeded: identity.mixed >> 32) & (rows.count - 1)
  }

  /// The number of a step's key.
  ///
  /// Nil on a miss.
  func number(of step: PlanStep) -> UInt32? {
    if rememberedCount == 0 { return nil }
    let row = rows[index(step.identity)]
    guard row.number != Row.noKey, row.identity == step.identity,
      row.space == step.signature.keySpace
    else {
      return nil
    }
    return row.number - 1
  }

  /// Remembers the number of a step's key.
  ///
  /// The plan keeps the string alive whose bits these are.
  mutating func remember(_ number: UInt32, of step: PlanStep) {
    if rows.count == 0 {
      setRowCount(32)
    } else if rememberedCount > rows.count / 2, rows.count < 4096 {
      setRowCount(4 * rows.count)
    }
    rememberedCount += 1
    rows[index(step.identity)] = Row(
      identity: step.identity, space: step.signature.keySpace, number: number + 1)
  }

  /// Forgets all numbers, as some of them were taken back from the tables.
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
