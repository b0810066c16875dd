internal import KeepsakeArchive
internal import KeepsakeDocuments

/// Archives to start from, with values of every kind in every place.
package enum ArchiveSeeds {
  package static func archives() throws -> [[UInt8]] {
    let graph = ForgedNode.graph()
    defer { ForgedNode.release(graph) }
    var archives = [try Archive.encode(graph, reserved: reserved)]
    archives.append(try Archive.encode(ForgedNode(7)))
    for count in [1, 3] as [UInt32] { archives.append(try values(count: count)) }
    // The same values in several segments.
    if var parts = ArchiveParts(try values(count: 6)), let records = parts.segments.first {
      parts.segments = [Array(records[..<2]), Array(records[2..<3]), Array(records[3...])]
      parts.declareRest(in: 0)
      archives.append(parts.assembled())
    }
    return archives
  }

  private static let reserved = ReservedValues(
    bundleVersion: "1.0", userInterfaceIdiom: 1,
    timestamp: ArchiveDate(secondsSinceReferenceDate: 2), systemVersion: "12")

  private static func values(count: UInt32) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: reserved)
    writer.conditionalObjects = [ArchiveObjectID(1), nil]
    for number in 1...count {
      try writer.writeObject(
        ArchiveObjectID(number), typeName: number.isMultiple(of: 2) ? "T" : "U",
        schemaVersion: number / 3, template: number == 1 ? "template" : nil
      ) { coder in
        write(to: &coder, number: number)
      }
    }
    return try writer.finish(root: ArchiveObjectID(1))
  }

  private static func write(to coder: inout ObjectEncoder, number: UInt32) {
    let point = DynamicValue.record(
      .init(
        typeName: "P", fields: [.init(key: "x", value: .double(1)), .init(key: "y", value: .null)]))
    let entry = DynamicValue.enumeration("case", .init(fields: [.init(key: "v", value: point)]))
    let scalars: [DynamicValue] = [
      .bool(true), .signed(-1, bitWidth: 8), .signed(300, bitWidth: 16), .signed(-9, bitWidth: 32),
      .signed(.min, bitWidth: 64), .unsigned(255, bitWidth: 8), .unsigned(.max, bitWidth: 64),
      .int128(-1), .uint128(.max), .float16(bitPattern: 0x3C00), .float(1.5), .double(-0.0),
      .string("text"), .bytes([1, 2, 3]), .date(ArchiveDate(secondsSinceReferenceDate: 1)),
      .url(ArchiveURL("https://a.example")),
      ArchiveUUID(bytes: Array(0..<16)).map { .uuid($0) } ?? .null,
    ]
    for (index, value) in scalars.enumerated() {
      coder.encode(value, forKey: ArchiveKey("scalar \(index)"))
    }
    coder.encode(Int16?.none, forKey: "nil number")
    coder.encode(Optional("text"), forKey: "optional text")
    coder.encode([[1, 2], nil, []] as [[Int8]?], forKey: "arrays")
    coder.encode([1.5, -2], forKey: "doubles")
    coder.encode([[300, nil], [], [number]] as [[UInt32?]], forKey: "rows")
    coder.withScope("scope") { coder in
      coder.encode(DynamicValue.array(scalars + [.null, point, entry]), forKey: "mixed")
      coder.encode([true, nil, false], forKey: "flags")
      coder.withScope("inner") { $0.encode(["", "b", nil], forKey: "strings") }
    }
    coder.encode(DynamicValue.array([point, point]), forKey: "points")
    writeForms(to: &coder, number: number)
    coder.encode(DynamicValue.array([entry, .null, entry]), forKey: "cases")
    coder.encode(DynamicValue.set(scalars), forKey: "set")
    coder.encode(
      DynamicValue.dictionary(scalars.map { DynamicEntry(key: $0, value: .array([$0, point])) }),
      forKey: "dictionary")
    coder.encode(ArchiveReference(ArchiveObjectID(number)), forKey: "reference")
    coder.encode((0...2).map { ArchiveConditionalReference($0) }, forKey: "conditional")
    coder.encode(
      DynamicValue.unknown(ArchiveTag(rawValue: 20 << 3 | 6), bytes: [1, 2, 3]), forKey: "unknown")
  }

  /// Writes values that have special forms when many have one kind or shape (Spec/archive.md, 5.4 and 5.5).
  private static func writeForms(to coder: inout ObjectEncoder, number: UInt32) {
    let cell = DynamicValue.record(
      .init(
        typeName: "C",
        fields: [.init(key: "on", value: .bool(true)), .init(key: "to", value: .double(2))]))
    let outer = DynamicValue.record(
      .init(
        typeName: "O",
        fields: [.init(key: "one", value: cell), .init(key: "two", value: cell)]))
    let name = DynamicValue.record(
      .init(
        typeName: "N",
        fields: [.init(key: "text", value: .string("a")), .init(key: "at", value: cell)]))
    let fixed = DynamicValue.enumeration("fixed", .init(fields: [.init(key: "at", value: cell)]))
    let named = DynamicValue.enumeration(
      "named", .init(fields: [.init(key: "name", value: .string("b"))]))
    coder.encode(outer, forKey: "inline")
    coder.encode(DynamicValue.array([outer, outer, outer]), forKey: "cells")
    coder.encode(DynamicValue.array([name, name]), forKey: "one shape")
    coder.encode(DynamicValue.array([fixed, fixed]), forKey: "fixed cases")
    coder.encode(DynamicValue.array([named, named]), forKey: "named cases")
    coder.encode(DynamicValue.array([name, cell]), forKey: "shapes")
    coder.encode([[1, 2, 3], [4, 5, 6]] as [[UInt8]], forKey: "equal rows")
    coder.encode([true, false, true, true], forKey: "bits")
    coder.encode((0..<40).map { Double($0) }, forKey: "aligned")
    coder.encodeIfPresent(number == 1 ? "here" : nil, forKey: "perhaps a text")
    coder.encodeIfPresent(number == 1 ? nil : Int32(7), forKey: "perhaps a number")
  }
}
