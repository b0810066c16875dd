import Foundation
import Keepsake

/// The four launches of the demo, each checked; the first difference ends it.
@MainActor
struct Demo {
  let directory: URL
  let leavesFiles: Bool

  private var files: ContactsFiles { ContactsFiles(directory: directory.path) }

  func run() throws {
    say("Keepsake demo: an app without a screen, in real processes.", "")
    let saved = try firstLaunch()
    try sortContacts()
    try secondLaunch(comparedWith: saved)
    try DemoFileReport(files: files, interface: saved.interface).lines().forEach { say("   " + $0) }
    try thirdLaunch()
    try launchWithFlippedByte()
    say("", "All as promised.")
    if leavesFiles {
      say(
        "The files are in \(directory.path); look into the state with:",
        "  keepsake inspect \(files.state.archivePath)")
    }
  }

  private func firstLaunch() throws -> LaunchTranscript {
    say("1. First launch, version 11.0")
    let app = try AppProcess(["--directory", directory.path, "--play"])
    let transcript = try app.readTranscript()
    let end = app.kill()
    say("   \(transcript.report.firstLine) The default interface was built, and its user got here:")
    sayInterface(transcript)
    say("   \(transcript.saved?.firstLine ?? "")")
    try check(!transcript.restored && transcript.saved != nil, "The first launch did not save.")
    try check(end == .signal(SIGKILL), "The first process did not die by SIGKILL.")
    say("   Process \(app.identifier) died by SIGKILL, without a last word.", "")
    return transcript
  }

  private func sortContacts() throws {
    let book = try files.contactBook()
    book.sort { ($0.name, $0.identifier) < ($1.name, $1.identifier) }
    try book.write(to: files.model)
    say("   Meanwhile the contacts are sorted by given name, in the app's own model file.", "")
  }

  private func secondLaunch(comparedWith saved: LaunchTranscript) throws {
    say("2. Second launch, version 11.0")
    let transcript = try launch(["--directory", directory.path], exitCode: 0)
    say("   \(transcript.report.firstLine)", "")
    let comparison = SideBySide(
      saved.interface, transcript.interface,
      titles: ("BEFORE THE KILL", "AFTER THE RELAUNCH"))
    comparison.lines.forEach { say("   " + $0) }
    try check(
      comparison.differenceCount == 0 && transcript.restored,
      "\(comparison.differenceCount) lines of the restored interface differ.")
    try check(
      saved.selectedRows != transcript.selectedRows, "The sorted contacts stayed where they were.")
    say(
      "",
      "   All \(saved.interface.count) lines are the same. The selected contact was in row "
        + "\(saved.selectedRows.list), and was found by its identifier in row "
        + "\(transcript.selectedRows.list).", "")
  }

  private func thirdLaunch() throws {
    say("", "3. Third launch, version 12.0, which opens only its own version's state")
    let before = try archiveBytes(files)
    let transcript = try launch(
      ["--directory", directory.path, "--bundle-version", "12.0"],
      exitCode: ExitStatus.refusedVersion.rawValue)
    try sayRefusal(transcript)
    try check(
      ["11.0", "12.0"].allSatisfy { transcript.refusal?.contains($0) == true },
      "The refusal does not name both versions.")
    try check(try archiveBytes(files) == before, "The refused file was changed.")
    say("   The file is untouched: all \(before.count) bytes are what they were.", "")
  }

  private func launchWithFlippedByte() throws {
    let original = try archiveBytes(files)
    let copy = try copyWithFlippedByte(of: original)
    say(
      "4. One flipped byte in a copy: byte \(copy.offset) of \(original.count), from "
        + "\(copy.from) to \(copy.to)")
    let transcript = try launch(
      ["--directory", copy.files.directory.path], exitCode: ExitStatus.damaged.rawValue)
    try sayRefusal(transcript)
    try check(try archiveBytes(files) == original, "The original file was changed.")
    say("   The original is untouched.")
  }

  private func copyWithFlippedByte(
    of original: Data
  ) throws -> (files: ContactsFiles, offset: Int, from: UInt8, to: UInt8) {
    let copy = ContactsFiles(directory: directory.appendingPathComponent("flipped").path)
    let manager = FileManager.default
    try manager.createDirectory(at: copy.directory, withIntermediateDirectories: true)
    try manager.copyItem(at: files.model, to: copy.model)
    try manager.copyItem(atPath: files.state.path, toPath: copy.state.path)
    var bytes = original
    let offset = bytes.count - bytes.count / 4
    let from = bytes[offset]
    bytes[offset] = from ^ 0x01
    try bytes.write(to: URL(fileURLWithPath: copy.state.archivePath))
    return (copy, offset, from, bytes[offset])
  }

  private func launch(_ arguments: [String], exitCode: Int32) throws -> LaunchTranscript {
    let app = try AppProcess(arguments)
    let transcript = try app.readTranscript()
    let end = app.wait()
    try check(end == .exit(exitCode), "A launch ended with \(end) in place of \(exitCode).")
    return transcript
  }

  private func sayRefusal(_ transcript: LaunchTranscript) throws {
    say("   Refused: \(transcript.refusal ?? "not at all")", "   The default interface was built:")
    sayInterface(transcript)
    try check(
      transcript.refusal != nil && !transcript.restored && !transcript.interface.isEmpty,
      "The state was not refused.")
  }

  private func sayInterface(_ transcript: LaunchTranscript) {
    transcript.interface.forEach { say("     " + $0) }
  }

  private func archiveBytes(_ files: ContactsFiles) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: files.state.archivePath))
  }

  private func say(_ lines: String...) {
    // Contacts and paths may hold anything.
    lines.forEach { print($0.displayed) }
  }

  private func check(_ condition: Bool, _ message: String) throws {
    guard condition else {
      throw Failure(
        message: "\(message) Run the demo again with --keep to look at its files.",
        status: .difference)
    }
  }
}

extension String {
  fileprivate var firstLine: String { String(prefix { $0 != "\n" }) }
}

extension [Int] {
  fileprivate var list: String { map(String.init).joined(separator: ", ") }
}
