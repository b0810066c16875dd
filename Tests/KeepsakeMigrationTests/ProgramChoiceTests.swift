import KeepsakeArchive
import KeepsakeDocuments
import Testing

@testable import KeepsakeMigration

/// The choice of edits that are made once for all objects of a shape, and not on each object.
@Suite struct `A program for a shape` {
  private func archive() throws -> Archive {
    var writer = ArchiveWriter(reserved: .init(bundleVersion: "10"))
    try writer.writeObject(.init(1), typeName: "A", schemaVersion: 1) { coder in
      coder.encode(5 as UInt32, forKey: "number")
      coder.encode("text", forKey: "text")
      coder.encodeFields(
        of: .init(fields: [
          .init(key: "inner", value: .record(.init(typeName: "B", fields: [])))
        ]))
    }
    return try Archive(writer.finish(root: .init(1)))
  }

  private func program(_ parts: [MigrationEdit]...) throws -> ShapeProgram? {
    let parts = parts.enumerated().map { step, edits in
      MigrationStage.Part(step: step, edits: edits, places: Array(edits.indices))
    }
    return try ShapeProgram(parts, archive().object(.init(1)))
  }

  private func keep(_ value: DynamicValue) -> DynamicValue { value }

  @Test
  func `Edits of keys and types give a program, which knows the edits that change something`()
    throws
  {
    let program = try #require(
      try program(
        [.renameKey("number", to: "count", ofType: "A")],
        [.renameKey("number", to: "count", ofType: "C")],
        [.setDefault(.signed(1, bitWidth: 8), forKey: "new", ofType: "A")],
        [.setDefault(.signed(1, bitWidth: 8), forKey: "text", ofType: "A")],
        [.renameType("A", to: "A")],
        [.wrapKeys(["text"], inRecord: "nested", nestedTypeName: "N", ofType: "A")]))
    #expect(program.changes == [true, false, true, false, false, true])
    #expect(program.mayChange == [0, 2, 5])
    #expect(program.typeName == "A" && program.schemaVersion == 1)
    #expect(program.computedCount == 1 && program.conversions.isEmpty)
  }

  @Test func `A program converts slots, constants and computed values`() throws {
    let program = try #require(
      try program(
        [.convertKey("number", ofType: "A", keep), .convertKey("number", ofType: "A", keep)],
        [
          .setDefault(.bool(true), forKey: "new", ofType: "A"),
          .convertKey("new", ofType: "A", keep),
        ],
        [.convertKey("absent", ofType: "A", keep)]))
    #expect(program.conversions.map(\.part) == [0, 0, 1])
    #expect(program.conversions.map(\.target) == [0, 1, 3])
    #expect(program.conversions.map(\.key) == ["number", "number", "new"])
    let sources = program.conversions.map { conversion in
      switch conversion.source {
      case .slot(let slot): "slot \(slot)"
      case .constant(let value): "constant \(value)"
      case .computed(let number): "computed \(number)"
      }
    }
    #expect(sources == ["slot 0", "computed 0", "constant true"])
    #expect(program.computedCount == 4)
    #expect(program.changes == [false, true, false] && program.mayChange == [0, 1])
  }

  @Test func `Edits that need to read each record give no program`() throws {
    let edits: [[MigrationEdit]] = [
      [.editRecords(ofType: "A", "look") { _ in }],
      [.editObjects("look") { _ in }],
      [.setDefault(.record(.init(fields: [])), forKey: "new", ofType: "A")],
      [.setDefault(.reference(nil), forKey: "new", ofType: "A")],
      [.convertKey("inner", ofType: "A", keep)],
      [.unwrapRecord("number", ofType: "A")],
      [.renameKey("number", to: "text", ofType: "A")],
      [MigrationEdit(SchemaMigrationStep(ofType: "A", from: 1, to: 2) { _ in })],
      [
        .wrapKeys(["text"], inRecord: "nested", nestedTypeName: "N", ofType: "A"),
        .renameKey("text", to: "name", ofType: "N"),
      ],
    ]
    for edits in edits {
      #expect(try program(edits) == nil, "\(edits)")
    }
    let others: [MigrationEdit] = [
      .editRecords(ofType: "C", "look") { _ in },
      MigrationEdit(SchemaMigrationStep(ofType: "A", from: 0, to: 1) { _ in }),
    ]
    for edit in others {
      #expect(try program([edit])?.mayChange == [], "\(edit)")
    }
  }
}
