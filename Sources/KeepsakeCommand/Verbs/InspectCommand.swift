import ArgumentParser
import CommandSupport
import Keepsake

/// Shows the content of a file.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Shows a sealed file, and the archive in it as a tree of objects with keys, types and values.",
    discussion: """
      Nothing is written. The facts that need no key are shown in any case; --header shows only these, and the number \
      of each key slot. An archive that is not sealed is shown as well. The files of a journal are listed, without a key.

      --html writes a page that shows the objects as a tree with search, their sizes, and the bytes of each value. It is \
      not encrypted.

      Examples:
        keepsake inspect settings.sealed --key my.key
        keepsake inspect state --session main
        keepsake inspect archive --sizes
      """)

  @OptionGroup var input: InputOptions
  @OptionGroup var opening: OpeningOptions

  @Flag(help: "Show only what can be read without a key, and the key slots with their numbers.")
  var header = false

  @Flag(help: "Show how many bytes each type and each key takes, in place of the tree.")
  var sizes = false

  @OptionGroup var output: OutputOptions
  @OptionGroup var page: PageOptions

  func validate() throws {
    guard !page.html || !output.json && !sizes else {
      throw ValidationError(
        "--html makes a page, which has the sizes too; leave out --json and --sizes.")
    }
  }

  func run() throws {
    if let directory = try input.journalDirectory() {
      guard !page.html, !sizes else {
        throw Failure(
          "\(directory) is a journal, and only its files are listed; leave out --html and --sizes.",
          .usage)
      }
      let journal = JournalDirectory(directory, with: JournalKeys(recipients: []))
      return try JournalReport(journal, named: directory, try journal.count())
        .printFacts(to: output)
    }
    let file = try input.look()
    if page.html { return try writePage(of: file) }
    try FileReport.print(
      file, asJSON: output.json, headerOnly: header, showsSizes: sizes
    ) { try input.unseal(file, $0, with: opening) }
  }

  private func writePage(of file: InputFile) throws {
    if header {
      let facts: JSONValue = ["file": .string(file.name), "sealed": file.summary?.json]
      return try page.write { page in try page.write(facts: facts) }
    }
    let opened = try input.unseal(file, with: opening)
    let archive = try file.archiveIfAny(in: opened)
    let facts = try PageFacts(file, opened, archive).json(withSizes: true)
    try page.write { page in
      try page.write(facts: facts)
      if let archive { try page.write(archive, id: "archive") }
    }
  }
}
