import CommandSupport
import Foundation
import Keepsake
import Testing

@testable import KeepsakeCommand

@Suite struct `The printed name of a key` {
  /// Keys that are equal without their scopes, or look like scopes or reserved keys, with their printed names.
  private static let names: [(scope: [String], key: ArchiveKey, name: String)] = [
    ([], "k", "k"), ([], "s.k", "s.k"), (["s"], "k", "<s>.k"), ([], "<s>.k", "\\<s>.k"),
    ([], "\\<s>.k", "\\\\<s>.k"), (["s"], "t.k", "<s>.t.k"), (["s", "t"], "k", "<s>.<t>.k"),
    (["s.t"], "k", "<s.t>.k"), (["s>.<t"], "k", "<s\\>.<t>.k"), (["s\\"], "k", "<s\\\\>.k"),
    (["s"], "<t>.k", "<s>.\\<t>.k"), ([], .template, "<template>"),
    ([], "<template>", "\\<template>"),
    ([], "<type>", "\\<type>"), ([], "<schemaVersion>", "\\<schemaVersion>"), ([], "", ""),
    (["s"], "", "<s>."),
    ([""], "k", "<>.k"), ([], "a[0]", "a[0]"), ([], "@1", "@1"), ([], ".", "."),
    ([], "a\"b", "a\"b"),
    ([], "\u{E9}", "\u{E9}"), ([], "e\u{301}", "e\u{301}"), ([], "\u{301}x", "\u{301}x"),
    (["Box<Int>"], "n", "<Box<Int\\>>.n"), (["s>\u{338}"], "k", "<s\\>\u{338}>.k"),
  ]

  @Test(arguments: names.indices)
  func `A printed name distinguishes scopes and reserved keys from plain characters`(index: Int) {
    let (scope, key, name) = Self.names[index]
    let field = DynamicRecord.Field(scope: scope, key: key, value: .null)
    let printed = PrintedName(of: field).text
    #expect(printed.utf8.elementsEqual(name.utf8), "\(printed)")
    let others = Self.names.filter { $0.name.utf8.elementsEqual(name.utf8) }
    #expect(others.count == 1)
  }

  private func archive() throws -> [UInt8] {
    var writer = ArchiveWriter()
    try writer.writeObject(.init(1), typeName: "T", template: "main") { coder in
      let fields = Self.names.enumerated().filter { !$0.element.key.isReserved }.map {
        index, name in
        DynamicRecord.Field(
          scope: name.scope, key: name.key, value: .signed(Int64(index), bitWidth: 32))
      }
      coder.encodeFields(of: .init(fields: fields))
    }
    return try writer.finish(root: .init(1))
  }

  @Test func `Each printed name appears once in an export and leads to its value`() throws {
    try Workplace.with { place in
      try place.write("archive", Data(archive()))
      let text = try place.succeed("export", "archive").output
      // The parser refuses a repeated name.
      let document = try JSONParser.parse(Array(text.utf8), from: "the export")
      guard case .array(let objects)? = document["objects"],
        case .object(let members)? = objects.first?["values"]
      else { return #expect(Bool(false), "\(text)") }
      #expect(members.count == Self.names.count)
      let finder = try ValueFinder(Archive(archive()))
      for member in members {
        let quoted = member.name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let found = try finder.place(at: ValuePath("[\"\(quoted)\"]"))
        #expect(try found.value().plainJSON == member.value, "\(member.name)")
        // Finds it without quotes too, if no character of the name has a meaning in paths.
        guard !member.name.isEmpty, !"@.".contains(member.name.prefix(1)),
          !member.name.contains("["),
          !member.name.hasSuffix("."), !member.name.contains("..")
        else { continue }
        #expect(
          try finder.place(at: ValuePath(member.name)).value().plainJSON == member.value,
          "\(member.name)")
      }
    }
  }

  @Test func `A column has the printed name of its key`() throws {
    var table = CommaSeparatedTable()
    let record = DynamicRecord(fields: [
      .init(key: "s.k", value: .string("key")),
      .init(scope: ["s"], key: "k", value: .string("in a scope")),
      .init(key: "\u{E9}", value: .string("composed")),
      .init(key: "e\u{301}", value: .string("decomposed")),
    ])
    table.addColumns(of: record)
    var (heading, row) = ("", "")
    table.heading { heading += $0 }
    try table.row(record) { row += $0 }
    #expect(heading.utf8.elementsEqual("s.k,<s>.k,\u{E9},e\u{301}".utf8))
    #expect(row == "key,in a scope,composed,decomposed")
  }

  @Test
  func `A value is found by the name that inspect shows, in either Unicode form`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(.init(1), typeName: "T") { coder in
      coder.withScope("Base") { $0.encode(1, forKey: "number") }
      coder.encode(2, forKey: "e\u{301}")
      coder.encodeFields(
        of: .init(fields: [
          .init(
            key: "s", value: .record(.init(fields: [.init(key: "k", value: .string("nested"))]))),
          .init(key: "s.k", value: .string("with a period")),
          .init(
            key: "d", value: .dictionary([.init(key: .string("o\u{308}"), value: .bool(true))])),
        ]))
    }
    let finder = try ValueFinder(Archive(writer.finish(root: .init(1))))
    for (path, text) in [
      ("Base.number", "1"), ("\u{E9}", "2"), ("e\u{301}", "2"), ("s.k", "\"with a period\""),
      ("[\"s\"].k", "\"nested\""), ("[\"s.k\"]", "\"with a period\""), ("s[\"k\"]", "\"nested\""),
      ("d.\u{F6}", "true"), ("d[\"o\u{308}\"]", "true"),
    ] {
      #expect(try finder.place(at: ValuePath(path)).value().jsonText == text, "\(path)")
    }
  }

  @Test func `An export prints the version of an object, and type and version of a nested record`()
    throws
  {
    try Workplace.with { place in
      var writer = ArchiveWriter()
      let point = DynamicRecord(
        typeName: "Point", schemaVersion: 2, fields: [.init(key: "x", value: .bool(true))])
      try writer.writeObject(.init(1), typeName: "T", schemaVersion: 3) { coder in
        coder.encodeFields(of: .init(fields: [.init(key: "p", value: .record(point))]))
      }
      try place.write("archive", Data(writer.finish(root: .init(1))))
      let values = "{\"p\":{\"<type>\":\"Point\",\"<schemaVersion>\":2,\"x\":true}}"
      #expect(
        try place.succeed("export", "archive", "--format", "lines").output
          == "{\"id\":1,\"type\":\"T\",\"schemaVersion\":3,\"values\":\(values)}\n")
      #expect(try place.succeed("get", "archive", "@1").output == values + "\n")
      #expect(
        try place.succeed("get", "archive", "p").output
          == "{\"<type>\":\"Point\",\"<schemaVersion>\":2,\"x\":true}\n")
      #expect(try place.succeed("get", "archive", "p.x").output == "true\n")
    }
  }
}
