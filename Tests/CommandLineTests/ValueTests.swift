import Foundation
import Keepsake
import Testing

/// Values that the tool imports into archives and reads from them.
@Suite struct `Values of an archive` {
  private static let json = """
    {"name": "Ada \\u001b", "age": 36, "big": 18446744073709551615, "pi": 3.0, "none": null,
     "people": [{"n": "x", "v": 1}, {"n": "y \\"q\\", z", "w": [1, 2]}], "a.b": {"c d": true}}
    """

  private func withArchive(_ body: (Workplace) throws -> Void) throws {
    try Workplace.with { place in
      try place.write("a.json", Self.json)
      try place.makeKey("key")
      try place.succeed("import", "a.json", "-o", "plain")
      try place.succeed("import", "a.json", "-k", "key", "-o", "sealed")
      try body(place)
    }
  }

  private static let values = [
    ("name", "Ada \u{1B}\n"), ("age", "36\n"), ("big", "18446744073709551615\n"), ("pi", "3.0\n"),
    ("none", "null\n"), ("people[0].n", "x\n"), ("people[1].w", "[1,2]\n"), ("@1.age", "36\n"),
    ("[\"a.b\"][\"c d\"]", "true\n"),
  ]

  @Test func `Values are found by their path`() throws {
    try withArchive { place in
      for (path, value) in Self.values {
        for file in ["plain", "sealed"] {
          let found = try place.succeed("get", file, path).output
          #expect(found == value, "\(file) \(path)")
        }
      }
    }
  }

  @Test func `A missing value and a malformed path are reported`() throws {
    try withArchive { place in
      for path in ["nothing", "people[2]", "people[0].q", "age.x", "@2", "[0]", "@0"] {
        try place.fail(66, "get", "sealed", path)
      }
      for path in ["people[", "people[x]", "a..b", "@", "@x", "[\"a", "people]"] {
        let result = try place.run("get", "sealed", path)
        #expect([64, 66].contains(result.exitCode), "\(path): \(result.error)")
      }
    }
  }

  @Test func `Values are found through references, scopes and dictionaries`() throws {
    try Workplace.with { place in
      var writer = ArchiveWriter()
      try writer.writeObject(.init(1), typeName: "Window") { coder in
        coder.encode(ArchiveReference(ArchiveObjectID(2)), forKey: "child")
        coder.withScope("Base") { $0.encode(7, forKey: "number") }
        coder.encode(["font size": 12], forKey: "settings")
        coder.encode(ArchiveBytes([1, 2, 255]), forKey: "blob")
      }
      try writer.writeObject(.init(2), typeName: "Note") { $0.encode("text", forKey: "draft") }
      try place.write("archive", Data(try writer.finish(root: .init(1))))
      #expect(try place.succeed("get", "archive", "child.draft").output == "text\n")
      #expect(try place.succeed("get", "archive", "child").output == "{\"draft\":\"text\"}\n")
      #expect(try place.succeed("get", "archive", "Base.number").output == "7\n")
      #expect(try place.succeed("get", "archive", "settings[\"font size\"]").output == "12\n")
      #expect(try place.succeed("get", "archive", "blob").data == Data([1, 2, 255]))
      #expect(try place.succeed("get", "archive", "blob", "--json").output == "\"AQL/\"\n")
      try place.succeed("get", "archive", "blob", "-o", "out")
      #expect(try place.read("out") == Data([1, 2, 255]))
    }
  }

  @Test func `Values are exported as JSON, as lines and as CSV`() throws {
    try withArchive { place in
      let whole = try JSONSerialization.jsonObject(with: place.succeed("export", "sealed").data)
      let objects = try #require((whole as? [String: Any])?["objects"] as? [[String: Any]])
      #expect(objects.count == 1 && objects[0]["type"] as? String == "Imported")
      #expect(
        try place.succeed("export", "sealed", "people", "--format", "lines").output
          == "{\"n\":\"x\",\"v\":1}\n{\"n\":\"y \\\"q\\\", z\",\"w\":[1,2]}\n")
      #expect(
        try place.succeed("export", "sealed", "people", "--format", "csv").output
          == "n,v,w\nx,1,\n\"y \"\"q\"\", z\",,\"[1,2]\"\n")
      let table = try place.succeed("export", "sealed", "--format", "csv", "--type", "Imported")
      #expect(table.output.hasPrefix("name,age,big,pi,none,people,a.b\n"))
      try place.succeed("export", "sealed", "people", "--format", "csv", "-o", "table")
      #expect(try place.read("table").starts(with: Data("n,v,w\n".utf8)))
      try place.fail(65, "export", "sealed", "age", "--format", "csv")
      try place.fail(64, "export", "sealed", "--format", "csv")
      try place.fail(64, "export", "sealed", "people", "--type", "Imported")
    }
  }

  @Test func `Objects are exported one by one, all or those of a type`() throws {
    try Workplace.with { place in
      var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "7"))
      for (number, type) in ["A", "B", "A"].enumerated() {
        try writer.writeObject(.init(UInt32(number + 1)), typeName: type) {
          $0.encode(number, forKey: "n")
          if number == 2 { $0.encode(true, forKey: "last") }
        }
      }
      let bytes = try writer.finish(root: .init(2))
      try place.write("archive", Data(bytes))
      let lines = (0..<3).map { number in
        "{\"id\":\(number + 1),\"type\":\"\(number == 1 ? "B" : "A")\",\"values\":{\"n\":\(number)"
          + (number == 2 ? ",\"last\":true}}" : "}}")
      }
      func export(_ options: String...) throws -> [String] {
        let result = try Tool.run(
          program: "keepsake", ["export", "archive"] + options, in: place.directory)
        #expect(result.exitCode == 0 && result.error.isEmpty, "\(result.error)")
        return result.output.split(separator: "\n").map(String.init)
      }
      #expect(try export("--format", "lines") == lines)
      #expect(try export("--format", "lines", "--type", "A") == [lines[0], lines[2]])
      #expect(try export("--format", "csv", "--type", "A") == ["n,last", "0,", "2,true"])
      #expect(
        try export() == [
          "{\"archive\":{\"byteCount\":\(bytes.count),\"objectCount\":3,\"root\":2,\"bundleVersion\":\"7\"},"
            + "\"objects\":[", lines[0], "," + lines[1], "," + lines[2], "]}",
        ])
      #expect(try export("--type", "B").suffix(2) == [lines[1], "]}"])
      #expect(try export("--type", "C").count == 2)
    }
  }

  @Test func `Values that are not records get their own column`() throws {
    try Workplace.with { place in
      try place.write("a.json", "{\"list\": [1, {\"a\": 2}, [3]]}")
      try place.succeed("import", "a.json", "-o", "archive")
      #expect(
        try place.succeed("export", "archive", "list", "--format", "csv").output
          == "value,a\n1,\n,2\n[3],\n")
      #expect(
        try place.succeed("export", "archive", "list").output
          == "[\n  1,\n  {\n    \"a\": 2\n  },\n  [\n    3\n  ]\n]\n")
    }
  }

  @Test func `Values of a property list keep their types`() throws {
    try Workplace.with { place in
      try place.write(
        "list.plist",
        """
        <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>
        <key>date</key><date>2020-01-02T03:04:05Z</date><key>real</key><real>1.5</real>
        <key>whole</key><integer>5</integer><key>yes</key><true/><key>data</key><data>AAEC</data>
        <key>array</key><array><string>a</string></array></dict></plist>
        """)
      try place.succeed("import", "list.plist", "-o", "archive", "--type", "Settings")
      let tree = try place.succeed("inspect", "archive").output
      for line in [
        "real: Double = 1.5", "whole: Int64 = 5", "yes: Bool = true", "array: array = [\"a\"]",
        "data: bytes = 3 bytes 00 01 02",
      ] {
        #expect(tree.contains("  \(line)\n"), "\(tree)")
      }
      #expect(try place.succeed("get", "archive", "date").output == "2020-01-02T03:04:05Z\n")
      #expect(tree.contains(" Settings "))
    }
  }

  private static let malformed = [
    "", "{", "[1,]", "{\"a\":1,}", "{\"a\":1,\"a\":2}", "01", "1.", "1e", "nul", "\"\\x\"",
    "\"\\ud800\"",
    "\"\u{1}\"", "[1] 2", "1e999", "{1:2}", String(repeating: "[", count: 100_000), "+1",
    "\"\\u+123\"",
    "<plist", "bplist00",
  ]

  @Test(arguments: malformed) func `A malformed document is refused`(text: String) throws {
    try Workplace.with { place in
      try place.write("file", text)
      try place.fail(65, "import", "file", "-o", "archive")
      #expect(try place.names() == ["file"])
    }
  }

  @Test func `Every form that JSON allows is read`() throws {
    try Workplace.with { place in
      let text = " [ -0 , 1E2, \"\\u00e9\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\", [ ], { }, false ] "
      try place.write("file", text)
      try place.succeed("import", "file", "-o", "archive")
      let value = try place.succeed("get", "archive", "value", "--json").data
      let new = try JSONSerialization.jsonObject(with: value) as? NSArray
      #expect(try new == JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSArray)
    }
  }
}
