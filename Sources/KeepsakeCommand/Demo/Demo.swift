import CommandSupport
import ContactsModel
import Foundation
import Keepsake

/// The four launches of the demo, each checked; the demo ends at the first difference.
@MainActor
struct Demo {
  let directory: String
  let leavesFiles: Bool

  private var files: ContactsFiles { ContactsFiles(directory: directory) }

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
        "The files are in \(directory); look into the state with:",
        "  keepsake inspect \(files.state.archivePath)")
    }
  }

  private func firstLaunch() throws -> LaunchTranscript {
    say("1. First launch, version 11.0")
    let app = try AppProcess(["--directory", directory, "--play"])
    let transcript = try app.readTranscript()
    let end = app.kill()
    say("   \(transcript.report.firstLine) The default interface was built, and its user got here:")
    printInterface(transcript)
    say("   \(transcript.saved?.firstLine ?? "")")
    try check(!transcript.restored && transcript.saved != nil, "The first launch did not save.")
    try check(end == .signal(SIGKILL), "The first process did not die by SIGKILL.")
    say("   Process \(app.identifier) died by SIGKILL, without a last word.", "")
    return transcript
  }

  private func sortContacts() throws {
    try files.contactBook().sort(by: .givenName)
    say("   Meanwhile the contacts are sorted by given name, in the app's own model file.", "")
  }

  private func secondLaunch(comparedWith saved: LaunchTranscript) throws {
    say("2. Second launch, version 11.0")
    let transcript = try launch(["--directory", directory], exitCode: 0)
    say("   \(transcript.report.firstLine)", "")
    let comparison = SideBySide(
      saved.interface, transcript.interface,
      titles: ("BEFORE THE KILL", "AFTER THE RELAUNCH"))
    comparison.lines.forEach { say("   " + $0) }
    try check(
      comparison.differenceCount == 0 && transcript.restored,
      "Lines of the restored interface that differ: \(comparison.differenceCount).")
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
      ["--directory", directory, "--bundle-version", "12.0"],
      exitCode: ExitStatus.refusedVersion.rawValue)
    try printRefusal(transcript)
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
      ["--directory", copy.files.directory], exitCode: ExitStatus.damaged.rawValue)
    try printRefusal(transcript)
    try check(try archiveBytes(files) == original, "The original file was changed.")
    say("   The original is untouched.")
  }

  private func copyWithFlippedByte(
    of original: [UInt8]
  ) throws -> (files: ContactsFiles, offset: Int, from: UInt8, to: UInt8) {
    let copy = ContactsFiles(directory: directory + "/flipped")
    try DurableFile.createDirectory(at: copy.state.path)
    try copyFile(from: files.model, to: copy.model)
    try copyFile(from: files.state.keyPath, to: copy.state.keyPath)
    var bytes = original
    let offset = bytes.count - bytes.count / 4
    let from = bytes[offset]
    bytes[offset] = from ^ 0x01
    try DurableFile.replace(at: copy.state.archivePath, with: bytes.span)
    return (copy, offset, from, bytes[offset])
  }

  private func copyFile(from path: String, to newPath: String) throws {
    let bytes = try DurableFile.read(at: path, upTo: 1 << 20)
    try DurableFile.replace(at: newPath, with: bytes.span)
  }

  private func launch(_ arguments: [String], exitCode: Int32) throws -> LaunchTranscript {
    let app = try AppProcess(arguments)
    let transcript = try app.readTranscript()
    let end = app.wait()
    try check(end == .exit(exitCode), "A launch ended with \(end) in place of \(exitCode).")
    return transcript
  }

  private func printRefusal(_ transcript: LaunchTranscript) throws {
    say("   Refused: \(transcript.refusal ?? "not at all")", "   The default interface was built:")
    printInterface(transcript)
    try check(
      transcript.refusal != nil && !transcript.restored && !transcript.interface.isEmpty,
      "The state was not refused.")
  }

  private func printInterface(_ transcript: LaunchTranscript) {
    transcript.interface.forEach { say("     " + $0) }
  }

  private func archiveBytes(_ files: ContactsFiles) throws -> [UInt8] {
    try DurableFile.read(at: files.state.archivePath, upTo: 1 << 20)
  }

  private func say(_ lines: String...) {
    // Contacts and paths may contain characters that control the terminal.
    lines.forEach { print($0.displayed) }
  }

  private func check(_ condition: Bool, _ message: String) throws {
    guard condition else {
      throw Failure("\(message) Run the demo again with --keep to look at its files.", .difference)
    }
  }
}

/// Two texts beside each other, line by line, with a mark where they differ.
struct SideBySide {
  let lines: [String]
  /// The number of lines that differ.
  let differenceCount: Int

  init(_ left: [String], _ right: [String], titles: (String, String)) {
    let width = (left + [titles.0]).map(\.count).max() ?? 0
    let pad = { (text: String) in
      text + String(repeating: " ", count: width - text.count)
    }
    let count = max(left.count, right.count)
    let pairs = (0..<count).map { index in
      (
        left: index < left.count ? left[index] : "",
        right: index < right.count ? right[index] : ""
      )
    }
    differenceCount = pairs.count { $0.left != $0.right }
    lines =
      [pad(titles.0) + "   " + titles.1]
      + pairs.map { pad($0.left) + ($0.left == $0.right ? " = " : " ! ") + $0.right }
  }
}

extension String {
  fileprivate var firstLine: String { String(prefix { $0 != "\n" }) }
}

extension [Int] {
  fileprivate var list: String { map(String.init).joined(separator: ", ") }
}
