import KeepsakeArchive
import KeepsakeDocuments

// Foundation's classes whose objects become values of archives.

extension KeyedGraph {
  /// The value of an object of a Foundation class; nil if it lacks the keys of its class.
  mutating func value(
    of members: Range<Int>, _ meaning: KeyedClass.Meaning, depth: Int
  ) throws(ImportError) -> DynamicValue? {
    switch meaning {
    case .null: return members.count == 1 ? .null : nil
    case .string: return try text(of: members)
    case .attributedString: return try attributedText(of: members)
    case .data: return try scalar("NS.data", "NS.bytes", in: members, where: \.isBytes)
    case .date: return try date(of: members)
    case .uuid: return try uuid(of: members)
    case .number:
      return try scalar("NS.boolval", "NS.intval", "NS.dblval", in: members, where: \.isNumber)
    case .url: return try url(of: members, depth: depth)
    case .value: return try geometry(of: members)
    case .array, .orderedSet:
      return try elements(of: members, depth: depth + 1).map { DynamicValue(elements: $0) }
    case .set:
      return try elements(of: members, depth: depth + 1).map { Self.set(of: $0) }
    case .dictionary: return try dictionary(of: members, depth: depth)
    }
  }

  private func member(
    _ name: String, in members: Range<Int>
  ) -> PropertyListNode? { archive.list.node(name, in: members) }

  // MARK: - Collections

  /// The elements of an array or a set, which are in one list or under numbered keys.
  private mutating func elements(
    of members: Range<Int>, depth: Int
  ) throws(ImportError) -> [DynamicValue]? {
    if let nodes = member("NS.objects", in: members)?.elements {
      return members.count == 2 ? try values(of: nodes, depth: depth) : nil
    }
    let prefix = "NS.object."
    var numbered: [Int: PropertyListNode] = [:]
    for member in archive.list.members[members] where member.name != archive.className {
      let name = archive.list.names[member.name]
      guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count))
      else { return nil }
      numbered[number] = member.node
    }
    var nodes: [PropertyListNode] = []
    // If a number is written in two ways, two members have it, and a number below the count is missing.
    for number in 0..<members.count - 1 {
      guard let node = numbered[number] else { return nil }
      nodes.append(node)
    }
    var values: [DynamicValue] = []
    for node in nodes { values.append(try value(of: node, depth: depth)) }
    return values
  }

  /// A set; an array if a member cannot be in a set, such as a reference.
  private static func set(of values: [DynamicValue]) -> DynamicValue {
    guard values.allSatisfy(\.canBeKey), Set(values).count == values.count else {
      return DynamicValue(elements: values)
    }
    return .set(values)
  }

  /// A dictionary; an array of pairs if a key cannot be in a dictionary, such as a reference.
  private mutating func dictionary(
    of members: Range<Int>, depth: Int
  ) throws(ImportError) -> DynamicValue? {
    guard members.count == 3, let keyNodes = member("NS.keys", in: members)?.elements,
      let valueNodes = member("NS.objects", in: members)?.elements,
      keyNodes.count == valueNodes.count
    else { return nil }
    let keys = try self.values(of: keyNodes, depth: depth + 2)
    let values = try self.values(of: valueNodes, depth: depth + 2)
    if keys.allSatisfy(\.canBeKey), Set(keys).count == keys.count {
      return .dictionary(zip(keys, values).map { DynamicEntry(key: $0, value: $1) })
    }
    return .array(
      zip(keys, values).map { key, value in
        .record(
          DynamicRecord(fields: [
            DynamicRecord.Field(key: "key", value: key),
            DynamicRecord.Field(key: "value", value: value),
          ]))
      })
  }

  // MARK: - Scalars

  /// The value under the first key that is present.
  ///
  /// The value is stored in the object itself, or in an object that it refers to.
  private func scalar(
    _ keys: String..., in members: Range<Int>,
    where isWanted: (DynamicValue) -> Bool
  ) throws(ImportError) -> DynamicValue? {
    guard members.count == 2 else { return nil }
    for key in keys {
      if let value = try scalar(under: key, in: members), isWanted(value) { return value }
    }
    return nil
  }

  private func scalar(
    under key: String, in members: Range<Int>
  ) throws(ImportError) -> DynamicValue? {
    guard let node = member(key, in: members) else { return nil }
    return try scalar(node)
  }

  private func scalar(_ node: PropertyListNode) throws(ImportError) -> DynamicValue? {
    switch node {
    case .scalar(let index): return archive.list.scalars[index]
    default:
      guard let reference = node.referencedIndex,
        case .scalar(let index) = archive.object(try index(reference))
      else { return nil }
      return archive.list.scalars[index]
    }
  }

  private func text(of members: Range<Int>) throws(ImportError) -> DynamicValue? {
    if let text = try scalar("NS.string", in: members, where: \.isText) { return text }
    guard case .bytes(let bytes)? = try scalar("NS.bytes", in: members, where: \.isBytes),
      let text = String(validating: bytes, as: UTF8.self)
    else { return nil }
    return .string(text)
  }

  private mutating func attributedText(
    of members: Range<Int>
  ) throws(ImportError) -> DynamicValue? {
    guard let node = member("NSString", in: members) else { return nil }
    var text = try scalar(node)
    // The text may be a mutable string, which is an object with a class.
    if text == nil, let reference = node.referencedIndex,
      case .dictionary(let string) = archive.object(try index(reference))
    {
      text = try self.text(of: string)
    }
    guard let text, text.isText else { return nil }
    if try hasAttributes(members) { leaveOutAttributes() }
    return text
  }

  /// False for an attributed text without attributes, which has an empty dictionary of them.
  private func hasAttributes(_ members: Range<Int>) throws(ImportError) -> Bool {
    guard members.count == 3, let reference = member("NSAttributes", in: members)?.referencedIndex,
      case .dictionary(let attributes) = archive.object(try index(reference)),
      let keys = member("NS.keys", in: attributes)?.elements
    else { return members.count > 2 }
    return !keys.isEmpty
  }

  private func date(of members: Range<Int>) throws(ImportError) -> DynamicValue? {
    switch try scalar("NS.time", in: members, where: \.isNumber) {
    case .double(let seconds)? where seconds.isFinite:
      return .date(ArchiveDate(secondsSinceReferenceDate: seconds))
    case .float(let seconds)? where seconds.isFinite:
      return .date(ArchiveDate(secondsSinceReferenceDate: Double(seconds)))
    case .signed(let seconds, _)?:
      return .date(ArchiveDate(secondsSinceReferenceDate: Double(seconds)))
    default: return nil
    }
  }

  private func uuid(of members: Range<Int>) throws(ImportError) -> DynamicValue? {
    guard case .bytes(let bytes)? = try scalar("NS.uuidbytes", in: members, where: \.isBytes),
      let uuid = ArchiveUUID(bytes: bytes)
    else { return nil }
    return .uuid(uuid)
  }

  /// A URL, or a record of a relative URL and its base.
  private mutating func url(
    of members: Range<Int>, depth: Int
  ) throws(ImportError) -> DynamicValue? {
    guard let node = member("NS.relative", in: members), case .string(let text)? = try scalar(node)
    else {
      return nil
    }
    guard let baseNode = member("NS.base", in: members) else { return .url(ArchiveURL(text)) }
    let base = try value(of: baseNode, depth: depth + 1)
    if base == .null { return .url(ArchiveURL(text)) }
    return .record(
      DynamicRecord(
        typeName: "NSURL",
        fields: [
          DynamicRecord.Field(key: "base", value: base),
          DynamicRecord.Field(key: "relative", value: .string(text)),
        ]))
  }

  // MARK: - Points, sizes, rectangles and ranges

  private static let geometries = [
    (key: "NS.pointval", typeName: "NSPoint", names: ["x", "y"]),
    ("NS.sizeval", "NSSize", ["width", "height"]),
    ("NS.rectval", "NSRect", ["x", "y", "width", "height"]),
  ]

  private func geometry(of members: Range<Int>) throws(ImportError) -> DynamicValue? {
    for (key, typeName, names) in Self.geometries {
      if case .string(let text)? = try scalar(under: key, in: members) {
        return Self.numbers(typeName, names, text)
      }
    }
    if let location = try scalar(under: "NS.rangeval.location", in: members), location.isNumber,
      let length = try scalar(under: "NS.rangeval.length", in: members), length.isNumber
    {
      return .record(
        DynamicRecord(
          typeName: "NSRange",
          fields: [
            DynamicRecord.Field(key: "location", value: location),
            DynamicRecord.Field(key: "length", value: length),
          ]))
    }
    return nil
  }

  /// The record of numbers in a text such as `{{1, 2}, {3, 4}}`; nil if it has another form.
  private static func numbers(
    _ typeName: String, _ keys: [String], _ text: String
  ) -> DynamicValue? {
    guard text.utf8.count <= 512 else { return nil }
    let parts = text.split { "{}, ".contains($0) }
    var fields: [DynamicRecord.Field] = []
    guard parts.count == keys.count else { return nil }
    for (key, part) in zip(keys, parts) {
      guard let number = Double(String(part)) else { return nil }
      fields.append(DynamicRecord.Field(key: ArchiveKey(key), value: .double(number)))
    }
    return .record(DynamicRecord(typeName: typeName, fields: fields))
  }
}

extension DynamicValue {
  /// True for a value that a dictionary may have as a key and a set as a member (Spec/archive.md, 5.6).
  fileprivate var canBeKey: Bool {
    switch self {
    case .bool, .signed, .unsigned, .int128, .uint128, .float16, .float, .double, .string, .bytes,
      .date, .uuid, .url:
      true
    default: false
    }
  }

  fileprivate var isBytes: Bool { if case .bytes = self { true } else { false } }

  fileprivate var isText: Bool { if case .string = self { true } else { false } }

  fileprivate var isNumber: Bool {
    switch self {
    case .bool, .signed, .unsigned, .int128, .uint128, .float, .double: true
    default: false
    }
  }
}
