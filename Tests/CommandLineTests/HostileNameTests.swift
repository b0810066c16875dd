import Foundation
import Keepsake
import Testing

// A file may hold any name; the tool must not print one that steers the terminal.
@Suite struct `A file with hostile names` {
  /// One of each class: C0, DEL, C1, directional marks, overrides, isolates, separators, zero width.
  private static let controls = [
    "\u{1B}", "\u{7}", "\t", "\n", "\r", "\u{7F}", "\u{85}", "\u{9B}", "\u{61C}", "\u{200E}",
    "\u{200F}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{2028}", "\u{2029}", "\u{FEFF}",
  ]

  private func archive(_ name: String) throws -> [UInt8] {
    let key = ArchiveKey(name)
    let reserved = ReservedValues(bundleVersion: name, systemVersion: name)
    var writer = ArchiveWriter(reserved: reserved)
    try writer.writeObject(.init(1), typeName: name) { coder in
      coder.encode(name, forKey: key)
      coder.withScope(name) { $0.encode(ArchiveURL(name), forKey: key) }
      coder.encode([name: name], forKey: "dictionary")
    }
    return try writer.finish(root: .init(1))
  }

  private func expectHarmless(_ text: String, _ name: String, _ count: Int) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let harmful = lines.filter { line in line.unicodeScalars.contains { $0.steersDisplay } }
    #expect(harmful == [])
    #expect(text.components(separatedBy: name.displayed).count > count, "\(text.displayed)")
  }

  @Test(arguments: controls)
  func `A hostile name is printed with escapes, in the tree and in the sizes`(
    control: String
  ) throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let name = "a\(control)b"
      let file = directory.appendingPathComponent(name)
      try Data(try archive(name)).write(to: file)
      let tree = try Tool.run("inspect", file.path)
      #expect(tree.exitCode == 0, "\(tree.error.displayed)")
      // The path, two versions, the type, two keys and a scope.
      expectHarmless(tree.output, name, 7)
      #expect(tree.output.split(separator: "\n").count == 6, "\(tree.output)")
      let sizes = try Tool.run("inspect", "--sizes", file.path)
      expectHarmless(sizes.output, name, 4)
    }
  }

  @Test(arguments: controls)
  func `A file with a hostile name is refused in a sentence with escapes`(control: String) throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let name = "a\(control)b"
      let file = directory.appendingPathComponent(name)
      try Data("neither sealed nor an archive".utf8).write(to: file)
      let refusal = try Tool.run("inspect", file.path)
      #expect(refusal.exitCode == 65)
      expectHarmless(refusal.error, name, 1)
      #expect(refusal.error.split(separator: "\n").count == 1)
    }
  }
}
