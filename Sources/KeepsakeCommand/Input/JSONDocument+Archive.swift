import CommandSupport
import Keepsake

// A document of JSON is written into an archive without a tree of its values. The rules are those of `DynamicValue`
// for a value of JSON.

extension JSONDocument {
  /// Writes an archive with one object: the document itself, or an object that contains it as a value.
  ///
  /// When `isValue` is true, the document becomes the value of the key "value" even if it is an object.
  func archive(
    typeName: String, isValue: Bool, reserved: ReservedValues, from source: String
  ) throws -> [UInt8] {
    for index in wideNumbers {
      _ = try DynamicValue.number(string(of: nodes[index]), from: source)
    }
    var writer = ArchiveWriter(reserved: reserved)
    writer.expect(byteCount: bytes.count)
    let id = writer.nextObjectID
    do {
      try writer.writeObject(id, typeName: typeName) { coder in
        var index = 0
        if !isValue, [.object, .cell].contains(nodes[0].kind) {
          encodeMembers(&index, to: &coder)
        } else {
          encode(&index, to: &coder, at: .key("value"))
        }
      }
    } catch var error as ArchiveError {
      error.objectID = id
      throw error
    }
    return try writer.finish(root: id)
  }

  /// Writes the value of a node, and moves to the node that follows it.
  private func encode(_ index: inout Int, to coder: inout ObjectEncoder, at place: ArchivePlace) {
    let node = nodes[index]
    switch node.kind {
    case .text, .decodedText:
      withBytes(of: node) { coder.encodePayload($0, tag: .string, at: place) }
    case .wholeNumber: wholeNumber(node).encode(to: &coder, at: place)
    case .no, .yes: (node.kind == .yes).encode(to: &coder, at: place)
    case .object, .cell:
      coder.encodeNested(at: place) { coder in encodeMembers(&index, to: &coder) }
    case .array where node.count > 0:
      guard coder.enters(.array, at: place) else { break }
      let outer = coder.beginElements(count: Int(node.count), at: place)
      index += 1
      for _ in 0..<node.count { encode(&index, to: &coder, at: .element) }
      coder.endElements(outer, at: place)
    case .dictionary: encodeDictionary(index, to: &coder, at: place)
    case .mixedNumbers:
      let elements = nodes[index + 1..<Int(node.end)].map(plainValue)
      DynamicValue(elements: elements).encode(to: &coder, at: place)
    case .realNumber:
      if let value = shortReal(node) {
        value.encode(to: &coder, at: place)
      } else {
        plainValue(node).encode(to: &coder, at: place)
      }
    default: plainValue(node).encode(to: &coder, at: place)
    }
    index = Int(node.end)
  }

  /// Writes the members of an object as the values of the record that has begun.
  private func encodeMembers(_ index: inout Int, to coder: inout ObjectEncoder) {
    let node = nodes[index]
    index += 1
    for _ in 0..<node.count {
      encode(&index, to: &coder, at: .key(names[nodes[index].name]))
    }
  }

  private func encodeDictionary(_ index: Int, to coder: inout ObjectEncoder, at place: ArchivePlace)
  {
    var members: [Int] = []
    members.reserveCapacity(Int(nodes[index].count))
    var next = index + 1
    while next < Int(nodes[index].end) {
      members.append(next)
      next = Int(nodes[next].end)
    }
    coder.encodeDictionary(
      count: members.count, at: place,
      keys: { coder in
        for member in members {
          names[nodes[member].name].name.encode(to: &coder, at: .element)
        }
      },
      value: { number, coder in
        var index = members[number]
        encode(&index, to: &coder, at: .element)
      })
  }

  /// The value of a node that is neither a text nor a container with values.
  private func plainValue(_ node: Node) -> DynamicValue {
    switch node.kind {
    case .no: .bool(false)
    case .yes: .bool(true)
    case .wholeNumber: .signed(wholeNumber(node), bitWidth: 64)
    case .longWholeNumber, .realNumber, .scaledNumber: number(node)
    case .array: .array([])
    default: .null
    }
  }

  private func wholeNumber(_ node: Node) -> Int64 {
    withBytes(of: node) { Int64(shortDigits: $0) }
  }

  private func shortReal(_ node: Node) -> Double? {
    withBytes(of: node) { Double(shortDecimal: $0) }
  }

  /// A number whose range was checked before.
  private func number(_ node: Node) -> DynamicValue {
    if node.kind == .realNumber, let value = shortReal(node) { return .double(value) }
    return (try? DynamicValue.number(string(of: node), from: "")) ?? .null
  }
}

extension Int64 {
  /// The number of at most 18 digits, which may have a minus sign.
  fileprivate init(shortDigits digits: Span<UInt8>) {
    var value: Int64 = 0
    for index in digits.indices where digits[index] != UInt8(ascii: "-") {
      value = value &* 10 &+ Int64(digits[index] &- 0x30)
    }
    self = digits[0] == UInt8(ascii: "-") ? -value : value
  }
}

extension Double {
  /// The powers of ten that a `Double` holds exactly.
  private static let exactPowers = (0...22).map { Double("1e\($0)") ?? 0 }

  /// Reads a decimal number with a point; nil if the result would be rounded more than once.
  ///
  /// An integer below 2 to the power of 53 and a power of ten up to 22 are exact, so the quotient is rounded correctly,
  /// and only once.
  fileprivate init?(shortDecimal text: Span<UInt8>) {
    var (digits, fraction, isFraction): (UInt64, Int, Bool) = (0, 0, false)
    guard text.count <= 20 else { return nil }
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "-"): continue
      case UInt8(ascii: "."): isFraction = true
      case let digit:
        digits = digits &* 10 &+ UInt64(digit &- 0x30)
        fraction += isFraction ? 1 : 0
      }
    }
    guard digits < 1 << 53 else { return nil }
    let value = Double(digits) / Self.exactPowers[fraction]
    self = text[0] == UInt8(ascii: "-") ? -value : value
  }
}
