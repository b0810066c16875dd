internal import ArchiveForgery
internal import Foundation
internal import KeepsakeArchive
internal import KeepsakeCodable
internal import KeepsakeDocuments

/// Archives of `Codable` values to start from.
enum DecodedSeeds {
  static func inputs() throws -> [[UInt8]] {
    let tree = try tree()
    let encoder = ArchiveEncoder()
    let roots: [(UInt8, Data)] = [
      (0, try encoder.encode(tree)), (0, try encoder.encode(DecodedTree())),
      (1, try encoder.encode(dog)), (2, try encoder.encode(row)),
      (3, try encoder.encode(tree.anything)),
      (4, try encoder.encode(["a": tree.choice, "b": nil])),
      (5, try encoder.encode([[1, 2], nil, []])), (6, try encoder.encode(tree.paired)),
      (7, try encoder.encode(DecodedPuppy(name: "Rex", weeks: 3))),
    ]
    return roots.map { [$0.0] + $0.1 }
  }

  /// Archives of values of all kinds: first the kinds that `Codable` types are stored as, then also the
  /// others, which do not decode.
  static func everyKind() throws -> [[UInt8]] {
    let record = DynamicRecord(
      typeName: "P", fields: [.init(scope: ["s"], key: "x", value: .double(1))])
    let entry = DynamicEntry(key: .string("k"), value: .signed(1, bitWidth: 8))
    let values: [DynamicValue] = [
      .null, .bool(true), .signed(-1, bitWidth: 16), .unsigned(.max, bitWidth: 64), .int128(-1),
      .uint128(.max), .float16(bitPattern: 0x7E01), .float(1.5), .double(-0.0), .string("é"),
      .bytes([1]), .date(ArchiveDate(secondsSinceReferenceDate: .nan)), .url(ArchiveURL("a b")),
      .record(record), .enumeration("case", record), .dictionary([entry]), .set([.string("m")]),
      .reference(ArchiveObjectID(1)), .conditionalReference(ArchiveConditionalReference(1)),
      .unknown(ArchiveTag(rawValue: 20 << 3 | 6), bytes: [1, 2, 3]),
    ]
    let known = values.prefix(14).filter { $0 != .float16(bitPattern: 0x7E01) }
    return try [Array(known), values + [.array(values)]].map { values in
      var writer = ArchiveWriter()
      writer.conditionalObjects = [nil]
      try writer.writeObject(ArchiveObjectID(1), typeName: "Codable") { coder in
        coder.encode(DynamicValue.array(values), forKey: "value")
      }
      return try [3] + writer.finish(root: ArchiveObjectID(1))
    }
  }

  private static var dog: DecodedDog {
    DecodedDog(
      name: "Ada", breed: "collie", tricks: ["roll": 1, "sit": 2],
      offspring: [
        DecodedDog(name: "Bea", breed: nil, tricks: [:]), DecodedAnimal(name: "Cleo"),
      ])
  }

  private static var row: DecodedRow {
    var row = DecodedRow()
    row.number = -3
    row.names = ["a", "long enough to lie outside"]
    row.point = ["x": 0.5, "y": -2]
    var empty = DecodedRow()
    empty.isEmpty = true
    row.rest = [empty, nil, empty]
    return row
  }

  private static func tree() throws -> DecodedTree {
    var leaf = DecodedTree()
    leaf.number = 7
    var tree = DecodedTree(
      flag: true, small: -1, short: 300, word: -70_000, long: .max, number: 5, wide: -1,
      unsignedWide: .max, ratio: DecodedNumber(0.5), single: DecodedNumber(-0), text: "text")
    tree.date = DecodedDate(Date(timeIntervalSinceReferenceDate: 1))
    tree.identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    tree.link = URL(string: "https://a.example/b?c=d#e")
    tree.data = Data([1, 2, 3])
    tree.numbers = [1, -2]
    tree.bytes = [1, 2, 255]
    tree.names = ["a", nil, ""]
    tree.matrix = [[DecodedNumber(1), nil], []]
    tree.marks = ["m", "n"]
    tree.children = [leaf, DecodedTree()]
    tree.named = ["a": leaf, "": DecodedTree()]
    tree.numbered = [-1: leaf, 20: nil]
    tree.suited = [.clubs: [1], .spades: []]
    tree.paired = [.ace: leaf, .three: DecodedTree()]
    tree.choice = .nested(.pair(leaf, second: 2))
    tree.animal = dog
    tree.row = row
    tree.anything = .keyed(["a": .array([.null, .text("b"), .wide(1 << 100)]), "c": .flag(false)])
    return tree
  }
}
