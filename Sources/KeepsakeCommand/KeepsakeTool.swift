import ArgumentParser

@main
struct KeepsakeTool: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "keepsake")
}
