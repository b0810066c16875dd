import ArgumentParser
import CommandSupport
import Keepsake

/// The options of the verbs that write a page for a browser.
struct PageOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Write a page for a browser in place of text. It is one file, which loads nothing. It is not encrypted, and "
        + "contains all that the input contains."))
  var html = false

  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp(
      "Where to write the page of --html, as a file that only you can read; without it, or with -, standard output.",
      valueName: "file"))
  var output: String?

  func validate() throws {
    guard html || output == nil else {
      throw ValidationError("-o names the file of a page; give --html as well.")
    }
  }

  /// Writes a page as a whole or not at all, and says that it is not encrypted.
  func write(_ body: (PageFile) throws -> Void) throws {
    let path = output == "-" ? nil : output
    guard path != nil || output != nil || !Output.isTerminal else {
      throw Failure(
        "A page is not for a terminal; name a file by -o FILE, or use a pipe. -o - writes it all the same.",
        .usage)
    }
    func write() throws {
      let page = try PageFile(to: Output(to: path))
      try body(page)
      try page.finish()
    }
    try path == nil ? write() : Interruption.whileWriting(write)
    // A page on standard output says so itself, in its first line.
    guard let path else { return }
    try Output.print([
      "\(path.displayed) is not encrypted, and shows what the command has read. Only you can read it (mode 0600)."
    ])
  }
}
