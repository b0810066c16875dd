import Foundation
import Keepsake
import Testing

@Suite struct `The sizes of an archive` {
  @Test func `are printed by type and key, the largest first`() throws {
    try withTemporaryDirectory { directory in
      var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "1.0"))
      try writer.writeObject(.init(1), typeName: "Small") { $0.encode(true, forKey: "flag") }
      try writer.writeObject(.init(2), typeName: "Large") { coder in
        coder.encode(ArchiveBytes([UInt8](repeating: 1, count: 400)), forKey: "blob")
        coder.withScope("Base") { $0.encode(7, forKey: "number") }
      }
      let bytes = try writer.finish(root: .init(1))
      let file = directory.appendingPathComponent("plain.archive")
      try Data(bytes).write(to: file)
      let result = try Tool.run("inspect", "--sizes", file.path)
      #expect(result.exitCode == 0, "\(result.error)")
      let lines = result.output.split(separator: "\n").map(String.init)
      #expect(lines.count == 7)
      #expect(lines[0] == "\(file.path): an archive of \(bytes.count) bytes, not sealed")
      #expect(lines[1].hasPrefix("Sizes: \(bytes.count) bytes, of which "))
      #expect(lines[2].hasPrefix("  Large: ") && lines[2].hasSuffix(" bytes in 1 object"))
      #expect(lines[3].hasPrefix("    blob: 40"))
      #expect(lines[4] == "    Base.number: 4 bytes, 1x")
      #expect(lines[5].hasPrefix("  Small: "))
      #expect(lines[6] == "    flag: 1 byte, 1x")
    }
  }
}
