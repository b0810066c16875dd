import Foundation
import Keepsake
import Testing

@testable import KeepsakeCommand

@Suite struct `An archive that is not sealed` {
  private func blob(_ archive: Archive) throws -> DynamicValue? {
    try archive.object(.init(1)).dynamicRecord()["blob"]
  }

  // The test truncates the file after opening it, so only bytes in memory can still be read.
  @Test func `An unsealed archive is read into memory as a whole, unless opened lazily`() throws {
    try Workplace.with { place in
      let content = [UInt8](repeating: 7, count: 1 << 20)
      var writer = ArchiveWriter()
      try writer.writeObject(.init(1), typeName: "Note") {
        $0.encode(ArchiveBytes(content), forKey: "blob")
      }
      try place.write("archive", Data(try writer.finish(root: .init(1))))
      let file = try InputFile(place.url("archive").path)
      let whole = try file.archive(in: nil)
      let parts = try file.archive(in: nil, lazily: true)
      #expect(try blob(parts) == DynamicValue.bytes(content))
      let handle = try FileHandle(forWritingTo: place.url("archive"))
      try handle.truncate(atOffset: 0)
      #expect(try blob(whole) == DynamicValue.bytes(content))
      let error = #expect(throws: ArchiveError.self) { try blob(parts) }
      #expect(error?.code == .sourceFailed && error?.objectID == ArchiveObjectID(1))
    }
  }
}

@Suite struct `Values that are imported` {
  @Test func `Imported values may nest as deep as an archive allows, and not deeper`() throws {
    try Workplace.with { place in
      for depth in [63, 64] {
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        try place.write("\(depth)", Data(text.utf8))
      }
      try place.succeed("import", "63", "-o", "archive")
      let run = try place.run("import", "64", "-o", "another")
      #expect(run.exitCode == 65 && run.output.isEmpty)
      #expect(
        run.error == """
          keepsake: 64 goes beyond what an archive may hold: values are nested deeper than that, and \
          ArchiveLimits.nestingDepth allows 64. Nest it less, or split it.

          """)
      #expect(try place.names() == ["63", "64", "archive"])
    }
  }
}

@Suite struct `The contacts app without a screen` {
  @Test func `The contacts app shows fifteen whole rows, also at the end of the list`() throws {
    try Workplace.with { place in
      let contacts = (0..<90).map { number in
        "{\"identifier\": \"\(number)\", \"name\": \"Contact \(number)\", "
          + "\"phone\": \"\", \"note\": \"\"}"
      }
      try place.write(
        "contacts.json",
        "{\"order\": \"familyName\", \"contacts\": [\(contacts.joined(separator: ", "))]}")
      // The demo scrolls further than this list is long.
      let app = place.directory.path
      let shown = try place.succeed("contacts", "--directory", app, "--play").output
      #expect(shown.contains(" first visible: Contact 75, 0 points hidden\n"), "\(shown)")
    }
  }
}
