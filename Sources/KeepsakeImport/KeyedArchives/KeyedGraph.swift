import KeepsakeArchive
import KeepsakeDocuments

/// Turns the objects of a keyed archive into records of a document, one after the other.
///
/// Objects that become records wait in a queue, so a chain of any length needs no recursion. Values of Foundation's
/// classes are read into the records that refer to them. A collection becomes a record of its own where it
/// cannot be a value: when it contains itself, or is nested too deeply.
struct KeyedGraph {
  /// The level at which a collection becomes a record of its own; a record has at most 64 levels by default.
  static let deepestCollection = 32
  /// The level at which an array or dictionary that is not itself in `$objects` is refused: it cannot be a record.
  private static let deepestValue = 60
  /// The cost of a value, to which the number of its bytes is added.
  private static let valueCost = 16

  let archive: KeyedArchive
  private let options: ImportOptions
  /// The rank of each name among all names, sorted by their bytes; the index is the number of the name.
  private let places: [UInt32]
  var document: ArchiveDocument
  private(set) var plainTextCount = 0
  private var classes: [KeyedClass] = []
  private var shapeCount = 0
  /// The members of the object that is read now.
  private var order: MemberOrder
  /// The sentinel in ``classNumbers`` for an object that is not a class, and in ``ids`` for one that is not a record.
  private static let none: UInt32 = 0
  /// For each index in `$objects` the number of the class there, from 1.
  private var classNumbers: [UInt32]
  /// For each index the id of the object there.
  private var ids: [UInt32]
  /// The objects that become records, in the order of their ids, without the record at the top; a class number is nil
  /// while it is unknown.
  private var queue: [(index: Int, classNumber: Int?)] = []
  /// The number of ids that the record at the top takes: 1, or 0 when an object is at the top.
  private var topCount: UInt32 = 0
  /// The objects in the order of their ids.
  private var records: [DynamicRecord] = []
  /// The indices of the records with a field that is nil, and the numbers of their classes.
  private var objectsWithNil: [(record: Int, classNumber: Int)] = []
  /// For each index, true while the values of the collection there are read.
  private var isOpen: [Bool]
  /// The index of the object that is read now, for errors.
  private var current: Int?
  /// The indices of the fields that are references in the object that was read last.
  private var references: [Int] = []
  /// True when a value of the object that was read last is nil.
  private var hasNil = false
  /// The remaining budget for values, which bounds the copies of values that many references share.
  private var remaining: Int

  init(_ archive: KeyedArchive, options: ImportOptions, byteCount: Int) {
    (self.archive, self.options) = (archive, options)
    places = archive.list.names.places { $0.bytesPrecede($1) }
    order = MemberOrder(nameCount: archive.list.names.allNumbers.count)
    document = ArchiveDocument(reserved: options.reserved)
    ids = [UInt32](repeating: Self.none, count: archive.objectCount)
    classNumbers = ids
    isOpen = [Bool](repeating: false, count: archive.objectCount)
    remaining = 64 * max(byteCount, 1 << 12)
  }

  /// The classes whose objects became records.
  var importedClasses: [ImportedClass] {
    classes.filter { $0.objectCount > 0 }.map {
      ImportedClass(
        name: $0.name, typeName: $0.typeName, superclasses: $0.superclasses,
        objectCount: $0.objectCount,
        keys: $0.keys.sorted { places[Int($0)] < places[Int($1)] }.map { archive.list.names[$0] })
    }.sorted { $0.name.bytesPrecede($1.name) }
  }

  /// Reads all objects that are reachable from the top.
  mutating func read() throws(ImportError) {
    if let root = try rootObject() {
      _ = record(of: root)
    } else {
      topCount = 1
      let fields = try fields(newShape(of: archive.top))
      records.append(DynamicRecord(typeName: options.topTypeName, fields: fields))
    }
    document.rootID = ArchiveObjectID(1)
    var next = 0
    while next < queue.count {
      let (index, classNumber) = queue[next]
      next += 1
      current = index
      records.append(try record(at: index, classNumber))
    }
    fillEmptyReferences()
    let records = records
    self.records = []
    do throws(ArchiveError) {
      try document.insert(contentsOf: consume records)
    } catch {
      throw self.error(error.message, .limitExceeded)
    }
  }

  /// The object at the top, if it is the only value there and its class is not one of Foundation's.
  private mutating func rootObject() throws(ImportError) -> Int? {
    guard archive.top.count == 1,
      let reference = archive.list.node("root", in: archive.top)?.referencedIndex,
      reference != KeyedArchive.nullIndex
    else { return nil }
    let index = try self.index(reference)
    guard case .dictionary(let members) = archive.object(index),
      let number = try classNumber(of: members), classes[number].meaning == nil
    else { return nil }
    return index
  }

  // MARK: - Records

  /// A reference to an object that is a record.
  private mutating func record(of index: Int, _ classNumber: Int? = nil) -> DynamicValue {
    if ids[index] == Self.none {
      queue.append((index, classNumber))
      // A file with 4,294,967,295 objects is longer than any that is read.
      ids[index] = topCount + UInt32(clamping: queue.count)
    }
    return .reference(ArchiveObjectID(ids[index]))
  }

  private mutating func record(
    at index: Int, _ known: Int?
  ) throws(ImportError) -> DynamicRecord {
    switch archive.object(index) {
    case .dictionary(let members):
      guard let number = known == nil ? try classNumber(of: members) : known else {
        return DynamicRecord(
          typeName: "NSDictionary", fields: try fields(newShape(of: members)))
      }
      let shapeIndex = shapeIndex(of: members, number)
      let fields = try fields(classes[number].shapes[shapeIndex])
      classes[number].addObject(ofShape: shapeIndex, references: references)
      if hasNil { objectsWithNil.append((records.count, number)) }
      return DynamicRecord(type: classes[number].type, fields: fields)
    case let node:
      let value = try value(of: node, depth: 1)
      return DynamicRecord(
        typeName: "NSArray", fields: [DynamicRecord.Field(key: "NS.objects", value: value)])
    }
  }

  /// Replaces nil by an empty reference under keys that have references in other objects of the class.
  ///
  /// A nil in the file has no type, but a program reads such a key as a reference.
  private mutating func fillEmptyReferences() {
    for (record, number) in objectsWithNil where !classes[number].referenceKeys.isEmpty {
      var fields = records[record].fields
      for index in fields.indices where fields[index].value == .null {
        guard let key = archive.list.names.number(of: fields[index].key.name),
          classes[number].referenceKeys.contains(key)
        else { continue }
        fields[index].value = .reference(nil)
      }
      records[record].fields = fields
    }
  }

  /// Reads the values of the object that ``order`` arranged last, in the order of its shape.
  private mutating func fields(_ shape: RecordShape) throws(ImportError) -> [DynamicRecord.Field] {
    if !references.isEmpty { references.removeAll(keepingCapacity: true) }
    hasNil = false
    var fields: [DynamicRecord.Field] = []
    fields.reserveCapacity(shape.fields.count)
    for index in shape.fields.indices {
      let value = try value(of: archive.list.members[order.members[index]].node, depth: 1)
      switch value {
      case .reference: references.append(index)
      case .null: hasNil = true
      default: break
      }
      var field = shape.fields[index]
      // Consuming the value saves a retain of its text.
      field.value = consume value
      fields.append(field)
    }
    return fields
  }

  /// The index of an object's shape among those of its class.
  private mutating func shapeIndex(of members: Range<Int>, _ classNumber: Int) -> Int {
    for index in classes[classNumber].shapes.indices
    where order.arrange(members, in: archive.list.members, as: classes[classNumber].shapes[index]) {
      return index
    }
    return classes[classNumber].add(newShape(of: members))
  }

  /// Makes the shape of a dictionary, and puts its members in order.
  private mutating func newShape(of members: Range<Int>) -> RecordShape {
    shapeCount += 1
    let shape = shape(shapeCount, of: archive.list.members[members])
    _ = order.arrange(members, in: archive.list.members, as: shape)
    return shape
  }

  private func shape(
    _ number: Int, of members: ArraySlice<PropertyListNode.Member>
  ) -> RecordShape {
    let escaped = escapedNames(in: members)
    let isClass = { (member: PropertyListNode.Member) in
      member.name == archive.className && member.node.referencedIndex != nil
    }
    let named = members.filter { !isClass($0) }.map {
      (name: $0.name, key: key($0.name, among: escaped))
    }.sorted { places[Int($0.key)] < places[Int($1.key)] }
    return RecordShape(
      number: number, names: named.map(\.name) + members.filter(isClass).map(\.name),
      keys: named.map(\.key),
      fields: named.map {
        DynamicRecord.Field(key: ArchiveKey(archive.list.names[$0.key]), value: .null)
      })
  }

  /// The names of an object if one of them begins with two dollar signs; otherwise an empty set.
  private func escapedNames(in members: ArraySlice<PropertyListNode.Member>) -> Set<UInt32> {
    guard !archive.unescaped.isEmpty, members.contains(where: { archive.unescaped[$0.name] != nil })
    else { return [] }
    return Set(members.map(\.name))
  }

  /// The key of a name: without one of its dollar signs, unless the object has that name too.
  private func key(_ name: UInt32, among names: Set<UInt32>) -> UInt32 {
    guard !names.isEmpty, let key = archive.unescaped[name], !names.contains(key) else {
      return name
    }
    return key
  }

  // MARK: - Classes

  /// The number of an object's class in `classes`; nil without a class.
  private mutating func classNumber(
    of members: Range<Int>
  ) throws(ImportError) -> Int? {
    guard let reference = archive.classReference(in: members) else { return nil }
    let index = try self.index(reference)
    if classNumbers[index] == Self.none { try addClass(index) }
    return Int(classNumbers[index]) - 1
  }

  private mutating func addClass(_ index: Int) throws(ImportError) {
    let list = archive.list
    guard case .dictionary(let facts) = archive.object(index),
      let name = list.string(list.node("$classname", in: facts)), !name.isEmpty
    else { throw error("the class of an object has no name") }
    let chain = list.elements[list.node("$classes", in: facts)?.elements ?? 0..<0].compactMap {
      list.string($0)
    }
    classes.append(
      KeyedClass(name: name, typeName: options.typeNames[name] ?? name, chain: chain))
    classNumbers[index] = UInt32(clamping: classes.count)
  }

  // MARK: - Values

  /// The value of a node in an object; `depth` is the level of the value that contains it.
  mutating func value(of node: PropertyListNode, depth: Int) throws(ImportError) -> DynamicValue {
    switch node {
    case .scalar(let index): return try scalar(index)
    case .reference(let reference): return try value(at: try index(reference), depth: depth)
    case .array(let nodes):
      try requireLevel(depth)
      return DynamicValue(elements: try values(of: nodes, depth: depth + 1))
    case .dictionary(let members):
      try requireLevel(depth)
      var entries: [DynamicEntry] = []
      for index in members {
        let member = archive.list.members[index]
        let value = try value(of: member.node, depth: depth + 1)
        entries.append(DynamicEntry(key: .string(archive.list.names[member.name]), value: value))
      }
      return .dictionary(entries)
    }
  }

  @inline(__always)
  private mutating func scalar(_ index: Int) throws(ImportError) -> DynamicValue {
    let value = archive.list.scalars[index]
    try pay(value.contentByteCount)
    return value
  }

  mutating func values(
    of nodes: Range<Int>, depth: Int
  ) throws(ImportError) -> [DynamicValue] {
    var values: [DynamicValue] = []
    values.reserveCapacity(nodes.count)
    for index in nodes { values.append(try value(of: archive.list.elements[index], depth: depth)) }
    return values
  }

  /// The value of an object: a reference if it is a record.
  private mutating func value(at index: Int, depth: Int) throws(ImportError) -> DynamicValue {
    try pay(0)
    if index == KeyedArchive.nullIndex { return .null }
    if ids[index] != Self.none { return record(of: index) }
    switch archive.object(index) {
    case .scalar(let index): return try scalar(index)
    case .reference:
      throw error("an object is only a reference to another one")
    case .dictionary(let members):
      // Objects of Foundation's classes are read again for each reference, and can have many members.
      try pay(members.count)
      guard let number = try classNumber(of: members) else {
        return try collection(at: index, nil, members, depth: depth)
      }
      guard let meaning = classes[number].meaning else { return record(of: index, number) }
      return try collection(at: index, meaning, members, depth: depth)
    case .array: return try collection(at: index, nil, 0..<0, depth: depth)
    }
  }

  /// The value of an object of Foundation's classes or without a class, which can contain itself.
  private mutating func collection(
    at index: Int, _ meaning: KeyedClass.Meaning?, _ members: Range<Int>, depth: Int
  ) throws(ImportError) -> DynamicValue {
    if isOpen[index] || depth >= Self.deepestCollection { return record(of: index) }
    let outer = current
    (isOpen[index], current) = (true, index)
    let value: DynamicValue?
    if let meaning {
      value = try self.value(of: members, meaning, depth: depth)
    } else {
      value = try self.value(of: archive.object(index), depth: depth)
    }
    (isOpen[index], current) = (false, outer)
    // The object may have become a record since it was opened, or lack the keys that its class has.
    guard ids[index] == Self.none, let value else { return record(of: index) }
    return value
  }

  /// Notes that the attributes of a text were left out.
  mutating func leaveOutAttributes() { plainTextCount += 1 }

  // MARK: - Checks

  /// The index that a reference names, which has to be one of `$objects`.
  @inline(__always)
  func index(_ reference: UInt64) throws(ImportError) -> Int {
    guard let index = Int(exactly: reference), index < archive.objectCount else {
      throw error(
        "a reference leads to object \(reference), and $objects has \(archive.objectCount)")
    }
    return index
  }

  func error(_ message: String, _ code: ImportError.Code = .damaged) -> ImportError {
    ImportError(code, message, at: current.map { .archivedObject($0) })
  }

  private func requireLevel(_ depth: Int) throws(ImportError) {
    guard depth < Self.deepestValue else {
      throw error("arrays and dictionaries are nested too deeply in an object", .limitExceeded)
    }
  }

  @inline(__always)
  private mutating func pay(_ byteCount: Int) throws(ImportError) {
    remaining -= Self.valueCost + byteCount
    guard remaining >= 0 else {
      throw error(
        "its values are referred to so often that copies of them would become many times as long "
          + "as the file", .limitExceeded)
    }
  }
}
