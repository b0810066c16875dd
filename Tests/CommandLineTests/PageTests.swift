import Foundation
import Keepsake
import Testing

@testable import KeepsakeCommand

// `.ci/pages` drives the pages in a browser.
@Suite struct `A page for a browser` {
  private func archive(_ objects: [(type: String, value: DynamicValue)]) throws -> [UInt8] {
    var writer = ArchiveWriter()
    for (type, value) in objects {
      try writer.writeObject(writer.nextObjectID, typeName: type) { coder in
        coder.encodeFields(of: .init(fields: [.init(key: "v", value: value)]))
      }
    }
    return try writer.finish(root: .init(1))
  }

  /// The content of an element of the page.
  private func content(of id: String, in page: String) throws -> String {
    let parts = page.components(separatedBy: "id=\"\(id)\">")
    try #require(parts.count == 2)
    return try #require(parts[1].components(separatedBy: "</script>").first)
  }

  @Test func `A page contains the archive and its facts, and only its owner can read it`() throws {
    try Workplace.with { place in
      let bytes = try archive([("Note", .string("text")), ("Note", .reference(.init(1)))])
      try place.write("notes.archive", Data(bytes))
      let result = try place.run("inspect", "--html", "-o", "page.html", "notes.archive")
      #expect(result.exitCode == 0 && result.error.isEmpty)
      #expect(result.output.hasPrefix("page.html is not encrypted"))
      let attributes = try FileManager.default.attributesOfItem(atPath: place.url("page.html").path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let page = String(decoding: try place.read("page.html"), as: UTF8.self)
      #expect(Data(base64Encoded: try content(of: "archive", in: page)) == Data(bytes))
      let facts = try #require(
        JSONSerialization.jsonObject(with: Data(try content(of: "facts", in: page).utf8))
          as? [String: Any])
      #expect(facts["file"] as? String == "notes.archive" && facts["verdict"] as? String == "sound")
      #expect((facts["archive"] as? [String: Any])?["objectCount"] as? Int == 2)
      #expect(facts["sizes"] != nil && facts["state"] == nil && facts["sealed"] == nil)
      let piped = try place.run("inspect", "--html", "notes.archive")
      #expect(piped.exitCode == 0 && piped.error.isEmpty)
      #expect(piped.output.contains("This page is not encrypted"))
      #expect(piped.output.hasPrefix("<!doctype html>") && piped.output.hasSuffix("</html>\n"))
    }
  }

  @Test func `No content of a file closes the page element that contains it`() throws {
    try Workplace.with { place in
      let name = "</script><script>alert(1)</script><!--"
      let bytes = try archive([(name, .string(name))])
      try place.write("hostile.archive", Data(bytes))
      let page = try place.succeed("inspect", "--html", "hostile.archive").output
      #expect(!page.contains("alert(1)</script>") && page.contains("\\u003c/script>"))
      // The facts, the archive and the scripts of the page.
      #expect(page.components(separatedBy: "<script").count == 4)
      #expect(page.components(separatedBy: "</script>").count == 4)
    }
  }

  @Test func `A page lets only its own scripts run, loads nothing, and has a new nonce each time`()
    throws
  {
    try Workplace.with { place in
      try place.write("a.archive", Data(try archive([("T", .bool(true))])))
      let pages = try (0..<2).map { _ in
        try place.succeed("inspect", "--html", "a.archive").output
      }
      let nonces = try pages.map { page in
        let match = try #require(page.firstMatch(of: /script-src 'nonce-([0-9a-f]{32})'/))
        #expect(page.contains("default-src 'none'") && !page.contains("unsafe-"))
        #expect(page.components(separatedBy: "nonce=\"\(match.output.1)\"").count == 3)
        #expect(
          !page.contains("{nonce}") && !page.contains("http://") && !page.contains("https://"))
        return match.output.1
      }
      #expect(nonces[0] != nonces[1])
    }
  }

  @Test func `The page of a header needs no key and contains only the header`() throws {
    try Workplace.with { place in
      try place.write("plain", Data("secret".utf8))
      try place.succeed("keygen", "key", "my.key")
      try place.succeed("seal", "plain", "-o", "sealed", "--key", "my.key")
      let page = try place.succeed("inspect", "--html", "--header", "sealed").output
      #expect(page.contains("raw key") && !page.contains("id=\"archive\""))
      let whole = try place.succeed("inspect", "--html", "sealed", "--key", "my.key").output
      #expect(whole.contains("\"openedBySlot\":0") && !whole.contains("id=\"archive\""))
    }
  }

  @Test func `Options that contradict each other, and damaged archives, make no page`() throws {
    try Workplace.with { place in
      var bytes = try archive([("T", .string("text")), ("T", .string("more"))])
      try place.write("a.archive", Data(bytes))
      for arguments in [
        ["inspect", "-o", "page.html", "a.archive"],
        ["inspect", "--html", "--json", "-o", "page.html", "a.archive"],
        ["inspect", "--html", "--sizes", "-o", "page.html", "a.archive"],
        ["diff", "--html", "--json", "-o", "page.html", "a.archive", "a.archive"],
      ] {
        let result = try Tool.run(program: "keepsake", arguments, in: place.directory)
        #expect(result.exitCode == 64, "\(arguments)")
      }
      // The first byte of a text that is no UTF-8 any more.
      let index = try #require(bytes.firstRange(of: Array("text".utf8))).lowerBound
      bytes[index] = 0xFF
      try place.write("a.archive", Data(bytes))
      let result = try place.run("inspect", "--html", "-o", "page.html", "a.archive")
      #expect(result.exitCode == 65 && result.output.isEmpty)
      #expect(try place.names() == ["a.archive"])
    }
  }

  @Test func `The page of two archives shows both, and the exit code says whether they differ`()
    throws
  {
    try Workplace.with { place in
      let old = try archive([("T", .bool(true)), ("T", .bool(true))])
      let new = try archive([("T", .bool(false)), ("T", .bool(true))])
      try place.write("old", Data(old))
      try place.write("new", Data(new))
      let result = try place.run("diff", "--html", "old", "new")
      #expect(result.exitCode == 1)
      let page = result.output
      #expect(Data(base64Encoded: try content(of: "archive-old", in: page)) == Data(old))
      #expect(Data(base64Encoded: try content(of: "archive-new", in: page)) == Data(new))
      #expect(try content(of: "facts", in: page).contains("\"changes\":[[\"changed\",\"#1\",1,1]]"))
      let same = try place.succeed("diff", "--html", "old", "old").output
      #expect(try content(of: "facts", in: same).contains("\"changes\":[]"))
    }
  }

  private func moves(_ old: [(String, DynamicValue)], _ new: [(String, DynamicValue)]) throws
    -> [String]
  {
    let archives = try [old, new].map { objects in
      try Archive(try archive(objects.map { (type: $0.0, value: $0.1) }))
    }
    return try ArchiveComparison(archives[0], archives[1]).changesWithMoves().map { $0.json.text() }
  }

  @Test func `Objects of an archive that is not a state are added or removed, and never moved`()
    throws
  {
    // In archives that are no states objects are paired by numbers, so none is both added and removed.
    #expect(
      try moves([("T", .bool(true))], [("T", .bool(true)), ("U", .bool(true))]) == [
        ##"["added","#2",0,2]"##
      ])
    #expect(
      try moves([("T", .bool(true)), ("U", .bool(true))], [("T", .bool(true))]) == [
        ##"["removed","#2",2,0]"##
      ])
  }

  /// A saved state of screens, each with its identifier, the place of its parent and a number.
  private func state(_ screens: [(identifier: String, parent: Int?, number: Int64)]) throws
    -> Archive
  {
    var writer = ArchiveWriter()
    try writer.writeObject(.init(1), typeName: "Keepsake.Application") { _ in }
    for screen in screens {
      try writer.writeObject(writer.nextObjectID, typeName: "Screen") { coder in
        coder.encodeFields(
          of: .init(fields: [.init(key: "v", value: .signed(screen.number, bitWidth: 32))]))
      }
    }
    let columns: [(ArchiveKey, DynamicValue)] = [
      ("application", .reference(.init(1))),
      ("objects", .array(screens.indices.map { .reference(.init(UInt32($0 + 2))) })),
      ("identifiers", .array(screens.map { .string($0.identifier) })),
      ("roles", .array(screens.map { .unsigned($0.parent == nil ? 0 : 1, bitWidth: 8) })),
      ("parents", .array(screens.map { .unsigned(UInt64(($0.parent ?? -1) + 1), bitWidth: 32) })),
      ("windows", .array([.unsigned(1, bitWidth: 32)])),
    ]
    let index = writer.nextObjectID
    try writer.writeObject(index, typeName: "Keepsake.Index") { coder in
      coder.encodeFields(of: .init(fields: columns.map { .init(key: $0.0, value: $0.1) }))
    }
    return try Archive(writer.finish(root: index))
  }

  @Test func `An object of a state that has another path counts as moved, changed or not`() throws {
    let old = try state([("Tabs", nil, 0), ("A", 0, 1), ("B", 0, 2), ("C", 0, 3)])
    let new = try state([("Tabs", nil, 0), ("B", 0, 2), ("A", 1, 1), ("C", 1, 4)])
    let moves = try ArchiveComparison(old, new).changesWithMoves().filter { $0.kind == "moved" }
    #expect(moves.map { $0.old?.rawValue } == [3, 5] && moves.map { $0.new?.rawValue } == [4, 5])
    #expect(moves.allSatisfy { $0.name.hasPrefix($0.formerName?.prefix(4) ?? "none") })
    // Two objects that are alike cannot be told apart.
    let twins = try state([("Tabs", nil, 0), ("B", 0, 2), ("D", 0, 1), ("E", 0, 1)])
    let kinds = try ArchiveComparison(old, twins).changesWithMoves().map(\.kind)
    #expect(!kinds.contains("moved") && kinds.contains("added") && kinds.contains("removed"))
  }
}
