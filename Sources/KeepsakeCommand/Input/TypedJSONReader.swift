import CommandSupport
import Foundation
import Keepsake

/// Makes the archive of which `export --format typed` prints the values (Spec/Vectors/README.md, "Values as JSON").
struct TypedJSONReader {
  private let document: JSONDocument
  private let source: String

  /// Makes the archive of one document.
  static func archive(_ bytes: [UInt8], from source: String) throws -> [UInt8] {
    let reader = TypedJSONReader(
      document: try JSONParser.document(bytes, from: source, depthLimit: TypedJSON.depthLimit),
      source: source)
    let facts = try reader.members(of: 0, facts + ["objects"])
    guard let objects = facts["objects"] else { throw reader.fault(0, "\"objects\" is missing") }
    var writer = try reader.writer(facts)
    for object in try reader.elements(of: objects, in: 0) {
      try reader.write(object, to: &writer)
    }
    return try writer.finish(root: try reader.root(facts))
  }

  /// Makes the archive of lines: the facts of the archive, and then one object in each.
  static func archive(lines bytes: [UInt8], from source: String) throws -> [UInt8] {
    var parser = try JSONParser(bytes, from: source, depthLimit: TypedJSON.depthLimit)
    guard let first = try parser.next() else {
      throw Failure("\(source) has no line with the facts of an archive.", .damaged)
    }
    let header = TypedJSONReader(document: first, source: source)
    let facts = try header.members(of: 0, facts)
    var writer = try header.writer(facts)
    while let line = try parser.next() {
      try TypedJSONReader(document: line, source: source).write(0, to: &writer)
    }
    return try writer.finish(root: try header.root(facts))
  }

  private static let facts = ["format", "archiveValues", "root", "conditionals"]

  // MARK: - Facts of the archive

  private func writer(_ facts: [String: Int]) throws -> ArchiveWriter {
    guard let format = facts["format"], string(format) == "1" else {
      throw fault(0, "\"format\" must be 1, the version of the format that is known")
    }
    var reserved = ReservedValues()
    var unknown: [ArchiveValueEntry] = []
    var stated: [String: Int] = [:]
    if let part = facts["archiveValues"] { stated = try members(of: part, nil) }
    for (name, index) in stated {
      switch name {
      case "bundleVersion": reserved.bundleVersion = try text(index, in: 0)
      case "systemVersion": reserved.systemVersion = try text(index, in: 0)
      case "userInterfaceIdiom": reserved.userInterfaceIdiom = try integer(index, in: 0)
      case "timestamp":
        reserved.timestamp = ArchiveDate(secondsSinceReferenceDate: try double(index, in: 0))
      default:
        let parts = try elements(of: index, in: 0)
        guard let number = UInt8(name), ReservedValues.key(ofNumber: number) == nil,
          parts.count == 2
        else { throw fault(0, "\"\(name.shortened)\" is not an archive value") }
        unknown.append(
          ArchiveValueEntry(
            number: number, tag: ArchiveTag(rawValue: try integer(parts[0], in: 0)),
            bytes: try bytes(parts[1], in: 0)))
      }
    }
    let values = (unknown + reserved.entries).sorted { $0.number < $1.number }
    var writer = ArchiveWriter(values: values, limits: .init())
    if let part = facts["conditionals"] {
      for element in try elements(of: part, in: 0) {
        let number = try integer(element, in: 0, as: UInt32.self)
        writer.conditionalObjects.append(number == 0 ? nil : ArchiveObjectID(number))
      }
    }
    return writer
  }

  private func root(_ facts: [String: Int]) throws -> ArchiveObjectID {
    guard let root = facts["root"] else { throw fault(0, "\"root\" is missing") }
    return ArchiveObjectID(try integer(root, in: 0))
  }

  private func write(_ object: Int, to writer: inout ArchiveWriter) throws {
    let id = writer.nextObjectID
    do {
      try writer.write(try record(object).record)
    } catch var error as ArchiveError {
      error.objectID = id
      throw error
    }
  }

  // MARK: - Records and values

  /// A record, and the case of an enumeration.
  private func record(_ index: Int) throws(Failure) -> (record: DynamicRecord, case: String?) {
    let parts = try members(of: index, ["type", "version", "case", "values"])
    guard let typeName = parts["type"], let values = parts["values"] else {
      throw fault(index, "a record has a \"type\" and \"values\"")
    }
    var fields: [DynamicRecord.Field] = []
    var absent: [AbsentSlot] = []
    for slot in try elements(of: values, in: index) {
      try read(slot: slot, &fields, &absent)
    }
    var version: UInt32 = 0
    if let part = parts["version"] { version = try integer(part, in: index) }
    var name: String?
    if let part = parts["case"] { name = try text(part, in: index) }
    let type = DynamicType(try text(typeName, in: index), version, absent: absent)
    return (DynamicRecord(type: type, fields: fields), name)
  }

  private func read(
    slot: Int, _ fields: inout [DynamicRecord.Field], _ absent: inout [AbsentSlot]
  ) throws(Failure) {
    let parts = try members(of: slot, ["key", "scopes", "reserved", "optional", "value"])
    guard let keyPart = parts["key"], let valuePart = parts["value"] else {
      throw fault(slot, "a slot has a \"key\" and a \"value\"")
    }
    let name = try text(keyPart, in: slot)
    let isReserved = parts["reserved"].map { document.nodes[$0].kind == .yes } ?? false
    let key = isReserved ? ArchiveKey(reserved: name) : ArchiveKey(name)
    var scope: [String] = []
    if let part = parts["scopes"] {
      for element in try elements(of: part, in: slot) { scope.append(try text(element, in: slot)) }
    }
    let optional = parts["optional"].map { string($0) }
    guard optional == nil || optional == TypedJSON.mayBeNil || optional == TypedJSON.mayBeAbsent
    else { throw fault(slot, "\"optional\" must be nil or absent, in quotes") }
    let omitsNil = optional == TypedJSON.mayBeAbsent
    let (value, tag) = try value(valuePart)
    if case .null = value, omitsNil {
      return absent.append(AbsentSlot(index: fields.count, scope: scope, key: key, tag: tag))
    }
    fields.append(
      DynamicRecord.Field(
        scope: scope, key: key, value: value, optionalTag: optional == nil ? nil : tag,
        omitsNil: omitsNil))
  }

  /// A value and its tag; for a nil, the tag of its slot.
  private func value(_ index: Int) throws(Failure) -> (DynamicValue, ArchiveTag) {
    let node = document.nodes[index]
    guard [.object, .cell].contains(node.kind), node.count == 1 else {
      throw fault(index, "a value is an object with one member, which is named by its type")
    }
    let (name, part) = (document.names[document.nodes[index + 1].name].name, index + 1)
    if name == "nil" { return (.null, try tagOfNil(part, in: index)) }
    if name == "unknown" { return try unknown(part, in: index) }
    guard let tag = TypedJSON.tag(named: name) else {
      throw fault(index, "\"\(name.shortened)\" is not the type of a value")
    }
    return (try value(part, tag, in: index), tag)
  }

  private func value(
    _ part: Int, _ tag: ArchiveTag, in index: Int
  ) throws(Failure) -> DynamicValue {
    switch tag {
    case .bool:
      guard [.yes, .no].contains(document.nodes[part].kind) else {
        throw fault(index, "true or false was expected")
      }
      return .bool(document.nodes[part].kind == .yes)
    case .int8: return .signed(Int64(try integer(part, in: index, as: Int8.self)), bitWidth: 8)
    case .int16: return .signed(Int64(try integer(part, in: index, as: Int16.self)), bitWidth: 16)
    case .int32: return .signed(Int64(try integer(part, in: index, as: Int32.self)), bitWidth: 32)
    case .int64: return .signed(try integer(part, in: index), bitWidth: 64)
    case .int128: return .int128(try integer(part, in: index))
    case .uint8: return .unsigned(UInt64(try integer(part, in: index, as: UInt8.self)), bitWidth: 8)
    case .uint16:
      return .unsigned(UInt64(try integer(part, in: index, as: UInt16.self)), bitWidth: 16)
    case .uint32:
      return .unsigned(UInt64(try integer(part, in: index, as: UInt32.self)), bitWidth: 32)
    case .uint64: return .unsigned(try integer(part, in: index), bitWidth: 64)
    case .uint128: return .uint128(try integer(part, in: index))
    case .float16: return .float16(bitPattern: try half(part, in: index))
    case .float: return .float(try float(part, in: index))
    case .double: return .double(try double(part, in: index))
    case .date:
      return .date(ArchiveDate(secondsSinceReferenceDate: try double(part, in: index)))
    case .string: return .string(try text(part, in: index))
    case .url: return .url(ArchiveURL(try text(part, in: index)))
    case .bytes: return .bytes(try bytes(part, in: index))
    case .uuid:
      let text = try text(part, in: index)
      guard let uuid = ArchiveUUID(text: text) else {
        throw fault(index, "a UUID with hyphens was expected")
      }
      return .uuid(uuid)
    case .reference:
      let number = try integer(part, in: index, as: UInt32.self)
      return .reference(number == 0 ? nil : ArchiveObjectID(number))
    case .conditionalReference:
      return .conditionalReference(ArchiveConditionalReference(try integer(part, in: index)))
    case .record: return .record(try record(part).record)
    case .enumeration:
      let (record, name) = try record(part)
      guard let name else { throw fault(part, "an enumeration has a \"case\"") }
      return .enumeration(ArchiveKey(name), record)
    case .dictionary: return .dictionary(try entries(part, in: index))
    default:
      let values = try values(part, in: index)
      return tag == .set ? .set(values) : .array(values)
    }
  }

  private func values(_ part: Int, in index: Int) throws(Failure) -> [DynamicValue] {
    var values: [DynamicValue] = []
    for element in try elements(of: part, in: index) { values.append(try value(element).0) }
    return values
  }

  private func entries(_ part: Int, in index: Int) throws(Failure) -> [DynamicEntry] {
    var entries: [DynamicEntry] = []
    for pair in try elements(of: part, in: index) {
      let parts = try elements(of: pair, in: index)
      guard parts.count == 2 else { throw fault(pair, "a key and a value were expected") }
      entries.append(DynamicEntry(key: try value(parts[0]).0, value: try value(parts[1]).0))
    }
    return entries
  }

  private func tagOfNil(_ part: Int, in index: Int) throws(Failure) -> ArchiveTag {
    switch document.nodes[part].kind {
    case .null: return .null
    case .wholeNumber: return ArchiveTag(rawValue: try integer(part, in: index))
    default:
      guard let tag = TypedJSON.tag(named: try text(part, in: index)) else {
        throw fault(index, "a nil has the name or the number of a tag")
      }
      return tag
    }
  }

  private func unknown(
    _ part: Int, in index: Int
  ) throws(Failure) -> (DynamicValue, ArchiveTag) {
    let parts = try elements(of: part, in: index)
    guard parts.count == 2 else { throw fault(index, "a tag and its bytes were expected") }
    let tag = ArchiveTag(rawValue: try integer(parts[0], in: index))
    switch document.nodes[parts[1]].kind {
    case .yes: return (.unknown(tag, bytes: [1]), tag)
    case .no: return (.unknown(tag, bytes: [0]), tag)
    default: return (.unknown(tag, bytes: try bytes(parts[1], in: index)), tag)
    }
  }

  // MARK: - Numbers and texts

  private func string(_ index: Int) -> String { document.string(of: document.nodes[index]) }

  private func text(_ part: Int, in index: Int) throws(Failure) -> String {
    guard [.text, .decodedText].contains(document.nodes[part].kind) else {
      throw fault(index, "a text in quotes was expected")
    }
    return string(part)
  }

  private func bytes(_ part: Int, in index: Int) throws(Failure) -> [UInt8] {
    guard let bytes = [UInt8](hexadecimal: try text(part, in: index).utf8) else {
      throw fault(index, "pairs of hexadecimal digits were expected")
    }
    return bytes
  }

  private func integer<Number: FixedWidthInteger>(
    _ part: Int, in index: Int, as type: Number.Type = Number.self
  ) throws(Failure) -> Number {
    guard [.wholeNumber, .longWholeNumber].contains(document.nodes[part].kind),
      let number = Number(string(part))
    else { throw fault(index, "a whole number of \(Number.bitWidth) bits was expected") }
    return number
  }

  /// The bits of a number that JSON does not have; nil for any other.
  private func bits<Bits: FixedWidthInteger>(
    _ part: Int, in index: Int, as type: Bits.Type = Bits.self
  ) throws(Failure) -> Bits? {
    guard document.nodes[part].kind == .text else { return nil }
    let text = string(part)
    guard text.hasPrefix("0x"), text.utf8.count == 2 + Bits.bitWidth / 4,
      let bits = Bits(text.dropFirst(2), radix: 16)
    else { throw fault(index, "0x and \(Bits.bitWidth / 4) hexadecimal digits were expected") }
    return bits
  }

  private func double(_ part: Int, in index: Int) throws(Failure) -> Double {
    if let bits = try bits(part, in: index, as: UInt64.self) { return Double(bitPattern: bits) }
    guard let number = try? Double(decimal: string(part)) else {
      throw fault(index, "a number in the range of a double was expected")
    }
    return number
  }

  private func float(_ part: Int, in index: Int) throws(Failure) -> Float {
    if let bits = try bits(part, in: index, as: UInt32.self) { return Float(bitPattern: bits) }
    let number = Float(try double(part, in: index))
    guard number.isFinite else { throw fault(index, "a number of 32 bits was expected") }
    return number
  }

  private func half(_ part: Int, in index: Int) throws(Failure) -> UInt16 {
    if let bits = try bits(part, in: index, as: UInt16.self) { return bits }
    #if !((os(macOS) || targetEnvironment(macCatalyst)) && arch(x86_64))
      let number = Float16(try double(part, in: index))
      if number.isFinite { return number.bitPattern }
    #endif
    throw fault(index, "a number of 16 bits was expected")
  }

  // MARK: - Nodes

  private func elements(of part: Int, in index: Int) throws(Failure) -> [Int] {
    guard [.array, .mixedNumbers].contains(document.nodes[part].kind) else {
      throw fault(index, "an array was expected")
    }
    return children(of: part)
  }

  /// The members of an object by their names; other names than those that are given are refused.
  private func members(of index: Int, _ names: [String]?) throws(Failure) -> [String: Int] {
    guard [.object, .cell, .dictionary].contains(document.nodes[index].kind) else {
      throw fault(index, "an object was expected")
    }
    var members: [String: Int] = [:]
    for member in children(of: index) {
      let name = document.names[document.nodes[member].name].name
      if let names, !names.contains(name) {
        throw fault(
          index, "\"\(name.shortened)\" must be one of \(names.joined(separator: ", "))")
      }
      members[name] = member
    }
    return members
  }

  private func children(of index: Int) -> [Int] {
    let node = document.nodes[index]
    var children: [Int] = []
    children.reserveCapacity(Int(node.count))
    var next = index + 1
    for _ in 0..<node.count {
      children.append(next)
      next = Int(document.nodes[next].end)
    }
    return children
  }

  /// The failure at an array or an object.
  private func fault(_ index: Int, _ message: String) -> Failure {
    let refusal = "is not an archive as JSON"
    guard var cursor = try? TextCursor(document.bytes) else {
      return Failure("\(source) \(refusal): \(message).", .damaged)
    }
    cursor.offset = Int(document.nodes[index].start)
    return Failure(cursor.error(message), in: source, refusal)
  }
}

extension ArchiveUUID {
  /// The UUID of a text with hyphens; nil for another one.
  init?(text: String) {
    // Foundation would also accept a sign or "0x" as digits.
    guard UUID(uuidString: text) != nil,
      let bytes = [UInt8](hexadecimal: text.replacing("-", with: "").utf8)
    else { return nil }
    self.init(bytes: bytes)
  }
}
