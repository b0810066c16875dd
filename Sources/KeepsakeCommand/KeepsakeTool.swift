import ArgumentParser

/// The command-line tool `keepsake`.
@main
struct KeepsakeTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keepsake",
    abstract: "Looks into sealed archives, and shows an app whose state outlives its process.",
    discussion: """
      Exit codes: 0 success; 1 the demo found a difference; 3 the saved state was written by another \
      version and refused; 64 wrong usage; 65 a file is damaged; 66 there is no such file; 74 a file \
      or directory cannot be read or written; 77 the key is missing, unusable or another one.
      """,
    subcommands: [DemoCommand.self, ContactsCommand.self, InspectCommand.self])
}
