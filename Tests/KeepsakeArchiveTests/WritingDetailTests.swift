import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// A plan that was learned from one way to write records is not used for another one.
@Suite struct `Records that are written in several ways` {
  @Test func `A nameless record of the highest version does not use an assembled record's plan`()
    throws
  {
    // No archive had these limits before, so that nothing is learned yet.
    var limits = ArchiveLimits()
    limits.byteCount -= 654_321
    var writer = ArchiveWriter(limits: limits)
    let assembler = SharedAssembler()
    writer = try assembler.writeObject(by: writer, typeName: "T", forKey: "v") {
      let serial = assembler.value.begin()
      let root = assembler.value.root(ofKeys: ObjectIdentifier(Point.self))
      let isRecord = assembler.value.openKeyed(root)
      let isWritten = assembler.value.put(1, .uint8, forKey: "a", of: serial)
      #expect(isRecord && isWritten)
    }
    let field = DynamicRecord.Field(key: "a", value: .unsigned(7, bitWidth: 8))
    let last = DynamicValue.record(.init(schemaVersion: .max, fields: [field]))
    try writer.writeObject(second, typeName: "T") { $0.encode(last, forKey: "v") }
    let archive = try Archive(writer.finish(root: first))
    try archive.requireCanonical()
    #expect(try archive.object(second).decode(DynamicValue.self, forKey: "v") == last)
    let assembled = try archive.object(first).decode(DynamicValue.self, forKey: "v")
    #expect(
      assembled
        == .record(.init(fields: [.init(key: "a", value: .unsigned(1, bitWidth: 8))])))
  }
}
