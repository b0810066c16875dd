import KeepsakeArchive

// Records and containers that would take too much memory if all their values were decoded (Spec/archive.md, 7.6). They
// are read once when they are found, so that damage is reported there. Their values are decoded at each access.

/// The memory that may still be used for the values of some bytes.
struct ReadingBudget {
  /// The memory for the values of each byte.
  ///
  /// Values that are kept after the budget is used up, and their text, take less than the whole budget.
  static let factor = 32
  /// The size of the object of a record or an array that is kept in its stored form.
  static let storedByteCount = 112
  /// The size of the box of an enumeration.
  static let boxByteCount = 64

  /// The bytes of memory that are left.
  var left: Int
  /// True when the bytes were read before, so that they need not be read again for damage.
  let isChecked: Bool

  init(byteCount: Int, isChecked: Bool = false) {
    left = ReadingBudget.factor * byteCount
    self.isChecked = isChecked
  }

  /// No memory, for values that are read only to find damage.
  static var none: ReadingBudget { ReadingBudget(byteCount: 0) }

  /// Takes memory from the budget; false when not enough is left.
  mutating func take(_ byteCount: Int) -> Bool {
    if byteCount > left { return false }
    left -= byteCount
    return true
  }

  /// The memory of a record beside that of the values in its fields.
  static func byteCount(of shape: ShapeRow) -> Int {
    let slots = shape.slots
    var total = 32 + (slots.count + 2) * MemoryLayout<DynamicRecord.Field>.stride
    for slot in 0..<slots.count { total += byteCount(inside: slots[slot].tag) }
    return total
  }

  /// The memory of the elements of an array beside that of the values in them.
  static func byteCount(of elements: StoredElements) -> Int {
    32 + elements.count * (MemoryLayout<DynamicValue>.stride + byteCount(inside: elements.tag))
  }

  /// The minimum memory of a value of a kind, beside its field or its element.
  private static func byteCount(inside tag: ArchiveTag) -> Int {
    switch tag {
    case .record, .array, .set: storedByteCount
    case .enumeration: storedByteCount + boxByteCount
    case .dictionary: 2 * storedByteCount
    case .bytes: 48
    default: 0
    }
  }
}

/// A record in its stored form.
final class StoredRecord: Sendable {
  private let storage: ArchiveStorage
  private let shape: RawReference<ShapeRow>
  private let body: Range<Int>
  private let objectID: ArchiveObjectID
  private let depth: Int32
  private let scope: Int32

  init(_ coder: borrowing ObjectDecoder) {
    storage = coder.storage.object
    shape = coder.shapeReference
    let record = coder.record
    body = record.start..<record.end
    objectID = coder.objectID
    depth = coder.depth
    scope = coder.scope
  }

  /// The type without absent slots; all records that are read of one archive share it.
  var type: DynamicType? { storage.tables.sharedType(of: shape.row) }

  func made() -> (fields: [DynamicRecord.Field], type: DynamicType?) {
    do {
      // The record was opened and read before, so no error can be found now.
      let record = try OpenedRecord(storage.view, shape, body)
      return try ObjectDecoder.lend(
        record, objectID, in: storage, depth: depth, scope: scope
      ) { coder in
        var budget = ReadingBudget(byteCount: body.count, isChecked: true)
        return try coder.madeRecord(&budget)
      }
    } catch {
      return ([], type)
    }
  }
}

/// The stored form of an array, of the members of a set, or of the keys or the values of a dictionary.
private struct StoredPart: Sendable {
  private let storage: ArchiveStorage
  private let elements: StoredElements
  private let objectID: ArchiveObjectID
  private let depth: Int32

  init(_ elements: StoredElements, of coder: borrowing ValueDecoder) {
    storage = coder.value.storage.object
    self.elements = elements
    objectID = coder.objectID
    depth = coder.value.depth
  }

  var count: Int { elements.count }

  subscript(index: Int) -> DynamicValue {
    precondition(index >= 0 && index < elements.count, "the index is out of range")
    return ValueDecoder.lend(
      tag: .array, isNil: false, range: elements.start..<elements.end, bit: 0, content: .none,
      objectID: objectID, depth: depth, in: storage
    ) { array in
      let element = array.element(index, of: elements)
      var budget = ReadingBudget(byteCount: element.value.range.count, isChecked: true)
      // The element was read before, so no error can be found now.
      return (try? element.dynamicValue(&budget)) ?? .null
    }
  }
}

/// A container in its stored form, which decodes an element at each access.
protocol StoredSequence<Element>: AnyObject, Sendable {
  associatedtype Element

  var count: Int { get }
  subscript(index: Int) -> Element { get }
}

/// An array or a set in its stored form.
final class StoredArray: StoredSequence {
  private let elements: StoredPart

  init(_ elements: StoredElements, of coder: borrowing ValueDecoder) {
    self.elements = StoredPart(elements, of: coder)
  }

  var count: Int { elements.count }

  subscript(index: Int) -> DynamicValue { elements[index] }
}

/// A dictionary in its stored form.
final class StoredDictionary: StoredSequence {
  private let keys: StoredPart
  private let values: StoredPart

  init(_ keys: StoredElements, _ values: StoredElements, of coder: borrowing ValueDecoder) {
    self.keys = StoredPart(keys, of: coder)
    self.values = StoredPart(values, of: coder)
  }

  var count: Int { keys.count }

  subscript(index: Int) -> DynamicEntry { DynamicEntry(key: keys[index], value: values[index]) }
}
