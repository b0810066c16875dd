import Foundation
import Testing

@testable import KeepsakeCommand

@Suite struct `The demo` {
  @Test func `saves, dies, is relaunched and restored, and refuses what it must`() throws {
    try withTemporaryDirectory { directory in
      let demo = try Tool.run("demo", "--keep", directory.path)
      #expect(demo.exitCode == 0, "\(demo.error)")
      let promises = [
        "1. First launch, version 11.0", "died by SIGKILL", "2. Second launch, version 11.0",
        "BEFORE THE KILL", "lines are the same", "mode 0600", "of the state itself: nothing",
        "3. Third launch, version 12.0",
        "stale: version 11.0 wrote it, and this program, version 12.0",
        "The file is untouched", "4. One flipped byte", "The original is untouched",
        "All as promised.",
      ]
      for promise in promises { #expect(demo.output.contains(promise), "\(promise)") }
      let unsaved = "name: \"Edsger Johnson, PhD\""
      #expect(demo.output.components(separatedBy: unsaved).count >= 4, "\(demo.output)")
      #expect(!demo.output.contains(" ! "))
      for line in try outputInReadme() { #expect(demo.output.contains(line + "\n"), "\(line)") }

      let archive = directory.appendingPathComponent("state/state.keepsake").path
      let inspected = try Tool.run("inspect", archive)
      #expect(inspected.exitCode == 0, "\(inspected.error)")
      for fact in [
        " ContactList#AllContacts (", "isEditing: Bool = true", "Edsger Johnson, PhD", "11.0",
        "KeepsakeRestoration.HeadlessNavigationController#NewContactStack, presented (",
        "KeepsakeRestoration.HeadlessTableView#Table, view (",
      ] {
        #expect(inspected.output.contains(fact), "\(fact)")
      }
    }
  }

  /// The lines that the README shows of the demo, without their indentation.
  private func outputInReadme() throws -> [String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let lines = readme.components(separatedBy: "\n").drop { !$0.hasPrefix("    2. Second launch") }
      .prefix { $0.isEmpty || $0.hasPrefix("    ") }
    try #require(lines.count > 20, "The README shows no output of the demo.")
    return lines.filter { !$0.isEmpty }.map { String($0.dropFirst(4)) }
  }

  @Test func `overwrites nothing`() throws {
    try withTemporaryDirectory { directory in
      try Data("mine".utf8).write(to: directory.appendingPathComponent("file"))
      let demo = try Tool.run("demo", "--keep", directory.path)
      #expect(demo.exitCode == 74 && demo.error.contains("is not empty"), "\(demo.error)")
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(names == ["file"])
    }
  }

  @Test func `marks the lines that differ`() {
    let comparison = SideBySide(["same", "a"], ["same", "b", "more"], titles: ("BEFORE", "AFTER"))
    #expect(comparison.differenceCount == 2)
    #expect(
      comparison.lines == ["BEFORE   AFTER", "same   = same", "a      ! b", "       ! more"])
  }
}
