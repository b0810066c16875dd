import KeepsakeArchive

/// The new numbers of a document's objects, and which of them is written next.
struct ObjectNumbering {
  private let document: ArchiveDocument
  private let order: ObjectOrder
  /// The new number of each object; 0 until the object gets one.
  private var numbers: [UInt32]
  /// The objects in the order of their new numbers.
  private var queue: [UInt32] = []
  private var written = 0
  /// Every object before this one has a new number.
  private var nextUnreferenced: UInt32 = 1
  private(set) var root = ArchiveObjectID(0)

  init(
    _ document: ArchiveDocument, order: ObjectOrder, root: ArchiveObjectID
  ) throws(ArchiveError) {
    self.document = document
    self.order = order
    numbers = [UInt32](repeating: 0, count: Int(document.lastNumber) + 1)
    if order == .stored { queueStored() }
    self.root = try number(of: root) ?? root
  }

  /// Replaces the old numbers in the references of a record by the new ones.
  mutating func renumber(_ record: inout DynamicRecord, levels: Int) throws {
    try record.mapReferences(levels: levels) { try number(of: $0) }
  }

  /// Returns the object to write next; nil when all are written.
  mutating func next() -> ArchiveObjectID? {
    if written == queue.count, order == .firstReference { queueUnreferenced() }
    guard written < queue.count else { return nil }
    written += 1
    return ArchiveObjectID(queue[written - 1])
  }

  /// The new number of an object, or nil when it was removed or left out.
  func writtenNumber(of id: ArchiveObjectID) -> ArchiveObjectID? {
    guard let target = (try? document.resolve(id)) ?? nil else { return nil }
    let number = numbers[Int(target.rawValue)]
    return number == 0 ? nil : ArchiveObjectID(number)
  }

  private mutating func number(of id: ArchiveObjectID) throws(ArchiveError) -> ArchiveObjectID? {
    guard let target = try document.resolve(id) else { return nil }
    if numbers[Int(target.rawValue)] == 0 { enqueue(target.rawValue) }
    return ArchiveObjectID(numbers[Int(target.rawValue)])
  }

  private mutating func enqueue(_ number: UInt32) {
    queue.append(number)
    numbers[Int(number)] = UInt32(queue.count)
  }

  private mutating func queueUnreferenced() {
    while nextUnreferenced <= document.lastNumber {
      let number = nextUnreferenced
      nextUnreferenced += 1
      if numbers[Int(number)] == 0, document.contains(ArchiveObjectID(number)) {
        return enqueue(number)
      }
    }
  }

  /// Numbers all objects at once.
  ///
  /// Stored objects keep their order. An inserted object follows the first object that refers to it; only a changed
  /// object can refer to an inserted one.
  private mutating func queueStored() {
    queue.reserveCapacity(document.objectCount)
    // Inserted objects have the highest ids, so those that no other object refers to are queued last.
    for number in 0..<document.lastNumber {
      let id = ArchiveObjectID(number + 1)
      guard numbers[Int(id.rawValue)] == 0, document.contains(id) else { continue }
      enqueue(id.rawValue)
      queueInserted(after: queue.count - 1)
    }
  }

  private mutating func queueInserted(after start: Int) {
    var index = start
    while index < queue.count {
      let references = document.changed[queue[index]]?.references ?? []
      index += 1
      for reference in references {
        let target = (try? document.resolve(reference)) ?? nil
        guard let target, document.isInserted(target), numbers[Int(target.rawValue)] == 0 else {
          continue
        }
        enqueue(target.rawValue)
      }
    }
  }
}

/// The order in which the objects of a document are written, and so their new numbers.
public enum ObjectOrder: Hashable, Sendable {
  /// The root first, then all objects in the order of the first references to them.
  ///
  /// References are followed object by object in the order of the new numbers, and in the order of the stored values.
  /// Objects that the root does not lead to follow in their own order, each with the objects that it leads to.
  ///
  /// The bytes depend on nothing but the content of the document.
  case firstReference
  /// The order of ``firstReference``, without the objects that the root does not lead to.
  case reachable
  /// The order of the archive: stored objects keep it, for readers that rely on it.
  ///
  /// An inserted object follows the first changed object that refers to it. It is at the end when no object refers to
  /// it.
  case stored
}
