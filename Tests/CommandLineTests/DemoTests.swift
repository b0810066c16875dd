import CommandSupport
import Foundation
import Keepsake
import Testing

@testable import KeepsakeCommand

@Suite struct `The demo` {
  @Test func `The demo saves, dies, is relaunched and restored, and refuses stale state`() throws {
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

  /// The lines of the demo's output in the README, without their indentation.
  private func outputInReadme() throws -> [String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let readme = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let lines = readme.components(separatedBy: "\n").drop { !$0.hasPrefix("    2. Second launch") }
      .prefix { $0.isEmpty || $0.hasPrefix("    ") }
    try #require(lines.count > 12, "The README shows no output of the demo.")
    return lines.filter { !$0.isEmpty }.map { String($0.dropFirst(4)) }
  }

  @Test func `The demo overwrites nothing`() throws {
    try withTemporaryDirectory { directory in
      try Data("mine".utf8).write(to: directory.appendingPathComponent("file"))
      let demo = try Tool.run("demo", "--keep", directory.path)
      #expect(demo.exitCode == 74 && demo.error.contains("is not empty"), "\(demo.error)")
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      #expect(names == ["file"])
    }
  }

  @Test func `The demo marks the lines that differ`() {
    let comparison = SideBySide(["same", "a"], ["same", "b", "more"], titles: ("BEFORE", "AFTER"))
    #expect(comparison.differenceCount == 2)
    #expect(
      comparison.lines == ["BEFORE   AFTER", "same   = same", "a      ! b", "       ! more"])
  }
}

@Suite struct `The demo when a result is wrong` {
  private static let further = " Run the demo again with --keep to look at its files.\n"

  /// Runs the demo with a script of the shell in place of the app that it launches.
  ///
  /// The demo launches its own program file, by the name that the system gives. For a removed file this is the old
  /// name with " (deleted)", which is the name of the script.
  private func demo(withApp script: String) throws -> Tool.Result {
    try Workplace.with { place in
      try place.write("app", "#!/bin/sh\n\(script)\n")
      // The limit, in seconds of processor time, ends a demo that would wait forever.
      let start = """
        cp "$0" tool; cp app 'tool (deleted)'; chmod +x 'tool (deleted)'
        export TOOL="$0"; exec 3< tool; rm tool
        ulimit -S -t 60 2> /dev/null; exec /proc/self/fd/3 demo --keep "$PWD/files"
        """
      return try Tool.run(
        program: "keepsake", [], under: ["bash", "-c", start], in: place.directory)
    }
  }

  /// A command that prints the report of a launch; `members` are before the interface.
  private func saying(_ members: String, interface: String) -> String {
    "echo '{\(members),\"interface\":[\(interface)],\"selectedRows\":[84]}'"
  }

  /// The script prints its report, and waits to be killed.
  private var firstLaunch: String {
    saying(
      "\"restored\":false,\"report\":\"First.\",\"saved\":\"Saved.\"",
      interface: "\"same\",\"one\",\"two\"") + "; read -r line"
  }

  private func secondLaunch(interface: String) -> String {
    saying("\"restored\":true,\"report\":\"Second.\"", interface: interface)
  }

  @Test func `The demo first reports how many lines of the restored interface differ`() throws {
    // Both the interface and the row of the selected contact are wrong.
    let second = secondLaunch(interface: "\"same\",\"three\",\"four\"")
    let run = try demo(withApp: "case \"$*\" in *--play) \(firstLaunch);; *) \(second);; esac")
    #expect(run.exitCode == 1)
    #expect(run.error == "keepsake: Lines of the restored interface that differ: 2." + Self.further)
    #expect(run.output.contains("died by SIGKILL"), "\(run.output)")
    #expect(run.output.contains(" ! three\n") && run.output.contains(" ! four\n"))
    #expect(!run.output.contains("All as promised."))
  }

  @Test func `The demo reports contacts that were not sorted`() throws {
    let second = secondLaunch(interface: "\"same\",\"one\",\"two\"")
    let run = try demo(withApp: "case \"$*\" in *--play) \(firstLaunch);; *) \(second);; esac")
    #expect(run.exitCode == 1)
    #expect(run.error == "keepsake: The sorted contacts stayed where they were." + Self.further)
  }

  @Test func `The demo does not say that the contacts are sorted when they cannot be`() throws {
    let run = try demo(withApp: "echo '[1, 2]' > \"$4/contacts.json\"; \(firstLaunch)")
    #expect(run.exitCode == 65)
    #expect(run.error.contains("does not hold contacts as this app writes them"), "\(run.error)")
    #expect(run.output.contains("died by SIGKILL"), "\(run.output)")
    #expect(!run.output.contains("are sorted"), "\(run.output)")
  }

  @Test(arguments: ["11.0", "12.0"])
  func `The demo reports a refusal that names only one version`(version: String) throws {
    let refusal = saying(
      "\"restored\":false,\"report\":\"Third.\",\"refusal\":\"It is of version \(version).\"",
      interface: "\"the default\"")
    let run = try demo(
      withApp: "case \"$*\" in *'--bundle-version 12.0') \(refusal); exit 3;; "
        + "*) exec \"$TOOL\" \"$@\";; esac")
    #expect(run.exitCode == 1)
    #expect(run.error == "keepsake: The refusal does not name both versions." + Self.further)
    #expect(run.output.contains("   Refused: It is of version \(version).\n"), "\(run.output)")
  }

  @Test func `The demo shows the interface of a launch that did not refuse the state`() throws {
    let restored = saying("\"restored\":true,\"report\":\"Third.\"", interface: "\"as it was\"")
    let run = try demo(
      withApp: "case \"$*\" in *'--bundle-version 12.0') \(restored); exit 3;; "
        + "*) exec \"$TOOL\" \"$@\";; esac")
    #expect(run.exitCode == 1)
    #expect(run.error == "keepsake: The state was not refused." + Self.further)
    #expect(run.output.contains("   Refused: not at all\n"), "\(run.output)")
    #expect(run.output.contains("default interface was built:\n     as it was\n"))
  }

  @Test(arguments: ["", "printf '{'"])
  func `The demo reports an app that ended without its own report`(script: String) throws {
    let run = try demo(withApp: script)
    #expect(run.exitCode == 1)
    #expect(
      run.error == "keepsake: The contacts app ended without saying what it shows; "
        + "run keepsake contacts by hand to see why.\n")
  }

  @MainActor
  @Test func `The demo lists the words of the interface that it finds in the sealed file`() throws {
    try withTemporaryDirectory { (directory: URL) throws in
      let files = ContactsFiles(directory: directory.path)
      try FileManager.default.createDirectory(
        atPath: files.state.path, withIntermediateDirectories: true)
      let key = try SealKey.create(at: files.state.keyPath)
      let report = DemoFileReport(files: files, interface: ["name: \"Ada Allen\""])
      let path = files.state.archivePath
      try SealedFile.seal(Array("Ada Allen".utf8).span, to: path, for: [.key(key)])
      // The words of four letters and more, and three of the archive itself.
      let lines = try report.lines()
      #expect(
        lines.last == "  of the state itself: nothing; none of 5 words of the interface is in it")
      try SealedFile.seal(
        Array("Ada Allen".utf8).span, to: path, for: [.key(key)],
        options: SealOptions(publicMetadata: Array("ContactList of Allen".utf8)))
      let failure = refusal { try report.lines() }
      #expect(failure?.status == .difference)
      #expect(
        failure?.message.contains("shows Allen, ContactList in plain text") == true,
        "\(failure?.message ?? "")")
    }
  }
}
