import KeepsakeArchive
import KeepsakeDocuments

/// A record with one of the things that move arrays of numbers to other offsets; a number decides the details.
struct MovingRecord: ArchiveRecord, Hashable {
  static let archiveTypeName = "Moving"

  /// The values that move the arrays.
  enum Mover: CaseIterable {
    case nothing, keysBefore, keysBehind, payloadsBefore, payloadsBehind, nested, deeplyNested
    case records, recordsWithNil, rows, rowsWithNil, mixed, mixedLate, numbersWithNil, dictionary
    case dictionaryOfRows, setOfNumbers, enumeration, scopes, integers
  }

  var mover: Mover
  var number: Int
  var sample: NumberSample { NumberSample(number) }
  var isOdd: Bool { !number.isMultiple(of: 2) }
  private var text: String { String(repeating: "t", count: number * 37 % 400) }
  private var rows: [[Double]?] {
    (0..<6).map { isOdd && $0 == number % 6 ? nil : [Double($0), 0.5] }
  }
  private var numbers: [Int16?] {
    (0..<20).map { isOdd && $0 == number % 20 ? nil : Int16($0) }
  }
  private var table: [String: NumberSample] {
    Dictionary(
      uniqueKeysWithValues: (0..<number % 4).map { ("\(number * $0 % 100) \($0)", sample) })
  }
  private var rowTable: [Int32: [Float]] {
    Dictionary(
      uniqueKeysWithValues: (0..<number % 5).map { (Int32($0 * number), [Float($0), 1]) })
  }
  private var members: Set<Int64> { Set((0..<Int64(number % 9)).map { $0 * 1000 - 3 }) }
  private var longTable: [String: [Int64]] { ["a": [Int64(number)], text: [1, 2]] }

  /// Elements of several kinds; the arrays of numbers are first or after the others.
  private var elements: [DynamicValue] {
    let row = DynamicValue.array([.double(1), .double(Double(number))])
    let shorts = DynamicValue.array([.signed(3, bitWidth: 16)])
    let others: [DynamicValue] = [.bool(true), .string(text), .null, .signed(7, bitWidth: 8)]
    return mover == .mixedLate
      ? [row, shorts, row] + others.prefix(number % 5) + [shorts] : others + [row, shorts, row]
  }

  init(_ mover: Mover, _ number: Int) {
    self.mover = mover
    self.number = number
  }

  func encode(to coder: inout ObjectEncoder) {
    switch mover {
    case .nothing: break
    case .keysBefore: encodeKeys(to: &coder)
    case .payloadsBefore: coder.encode(text, forKey: "text")
    case .keysBehind, .payloadsBehind: sample.encode(to: &coder)
    case .integers: coder.encode(number, forKey: "before")
    default: encodeContainer(to: &coder)
    }
    if mover == .keysBehind { return encodeKeys(to: &coder) }
    if mover == .payloadsBehind { return coder.encode(text, forKey: "text") }
    sample.encode(to: &coder)
    // The integer before then takes eight bytes too.
    if mover == .integers, isOdd { coder.encode(number << 40, forKey: "behind") }
  }

  private func encodeKeys(to coder: inout ObjectEncoder) {
    for index in 0..<number % 23 {
      coder.encode(index % 3 == 0 ? nil : UInt8(index), forKey: ArchiveKey("key \(index)"))
    }
  }

  private func encodeContainer(to coder: inout ObjectEncoder) {
    switch mover {
    case .nested: coder.encode(sample, forKey: "inner")
    case .deeplyNested:
      let inner = MovingRecord([.keysBehind, .rowsWithNil, .mixedLate][number % 3], number)
      coder.encode([inner], forKey: "deep")
    case .records: coder.encode((0..<number % 4).map { NumberSample($0) }, forKey: "records")
    case .recordsWithNil: coder.encode([sample, sample, isOdd ? nil : sample], forKey: "records")
    case .rows, .rowsWithNil:
      coder.encode(mover == .rows ? [[1, 2], []] : rows, forKey: "rows")
    case .mixed, .mixedLate: coder.encode(DynamicValue.array(elements), forKey: "elements")
    case .numbersWithNil: coder.encode(numbers, forKey: "numbers")
    case .dictionary: coder.encode(table, forKey: "table")
    case .dictionaryOfRows:
      coder.encode(rowTable, forKey: "rows")
      coder.encode(longTable, forKey: "long rows")
    case .setOfNumbers: coder.encode(members, forKey: "members")
    case .enumeration:
      coder.encode(isOdd ? .some(sample, text: text) : NumberCase.none, forKey: "case")
    default:
      coder.withScope("scope") { coder in
        coder.encode(text, forKey: "text")
        sample.encode(to: &coder)
      }
    }
  }

  /// Always fails: a decoded record cannot say what it should contain.
  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    throw ArchiveError(.invalidValue, "read it with `isRead(from:)`")
  }

  /// True when everything is read as it was written.
  func isRead(from coder: borrowing ObjectDecoder) throws(ArchiveError) -> Bool {
    guard try NumberSample(from: coder) == sample else { return false }
    switch mover {
    case .nothing: return true
    case .keysBefore, .keysBehind:
      for index in 0..<number % 23 {
        let found = try coder.decode(UInt8?.self, forKey: ArchiveKey("key \(index)"))
        if found != (index % 3 == 0 ? nil : UInt8(index)) { return false }
      }
      return true
    case .payloadsBefore, .payloadsBehind:
      return try coder.decode(String.self, forKey: "text") == text
    case .nested: return try coder.decode(NumberSample.self, forKey: "inner") == sample
    case .deeplyNested: return try coder.decode([NumberSample].self, forKey: "deep") == [sample]
    case .records:
      return try coder.decode(forKey: "records") == (0..<number % 4).map { NumberSample($0) }
    case .recordsWithNil:
      return try coder.decode(forKey: "records") == [sample, sample, isOdd ? nil : sample]
    case .rows: return try coder.decode(forKey: "rows") == [[1, 2], []] as [[Double]]
    case .rowsWithNil: return try coder.decode(forKey: "rows") == rows
    case .mixed, .mixedLate:
      return try coder.decode(DynamicValue.self, forKey: "elements") == .array(elements)
    case .numbersWithNil: return try coder.decode(forKey: "numbers") == numbers
    case .dictionary: return try coder.decode(forKey: "table") == table
    case .dictionaryOfRows:
      let longs: [String: [Int64]] = try coder.decode(forKey: "long rows")
      return try coder.decode(forKey: "rows") == rowTable && longs == longTable
    case .setOfNumbers: return try coder.decode(forKey: "members") == members
    case .enumeration:
      return try coder.decode(forKey: "case")
        == (isOdd ? .some(sample, text: text) : NumberCase.none)
    case .scopes: return try NumberSample(from: coder.scope("scope")) == sample
    case .integers:
      let behind: Int? = isOdd ? try coder.decode(forKey: "behind") : nil
      return try coder.decode(Int.self, forKey: "before") == number
        && behind == (isOdd ? number << 40 : nil)
    }
  }
}
