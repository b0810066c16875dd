import ArgumentParser

/// Shows the content of a file.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract:
      "Shows a sealed file, and the archive in it as a tree of objects with keys, types and values.",
    discussion: """
      Nothing is written. The facts that need no key are shown in any case; --header shows only these, and the number \
      of each key slot. \
      An archive that is not sealed is shown as well.

      Examples:
        keepsake inspect settings.sealed --key my.key
        keepsake inspect state --session main
        keepsake inspect archive --sizes
      """)

  @OptionGroup var input: InputOptions

  @Flag(help: "Show only what can be read without a key, and the key slots with their numbers.")
  var header = false

  @Flag(help: "Show how many bytes each type and each key takes, in place of the tree.")
  var sizes = false

  @OptionGroup var output: OutputOptions

  func run() throws {
    let file = try input.look()
    try FileReport.print(
      file, asJSON: output.json, headerOnly: header, showsSizes: sizes
    ) { try input.unseal(file, $0) }
  }
}
