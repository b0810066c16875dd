import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// The destination of the bytes that a verb makes.
struct DestinationOptions: ParsableArguments {
  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp(
      "Where to write. Without it, or with -, standard output; a file that exists is replaced, as a "
        + "whole or not at all.", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(name: .shortAndLong, help: "Show no progress.")
  var quiet = false

  /// The address to write to; nil for a file and for standard output.
  var address: RemoteAddress? { output.flatMap { RemoteAddress($0) } }

  /// The path of the file to write; `nil` for standard output.
  ///
  /// `content` is the subject of the sentence that refuses a terminal, such as "An archive"; nil for text, which a
  /// terminal shows.
  func path(for content: String?) throws -> String? {
    if let output, output != "-" {
      try OutputPath.requireWritable(output)
      return output
    }
    guard output == nil, let content, Output.isTerminal else { return nil }
    throw Failure.notForTerminal(content)
  }
}

/// The path of a file that the user wants to be written.
enum OutputPath {
  /// The device that takes all bytes and keeps none.
  static let nothing = "/dev/null"

  /// Refuses an address, a link, since a new file would replace the link itself, and devices but `/dev/null`.
  static func requireWritable(_ path: String) throws {
    if let address = RemoteAddress(path) {
      throw Failure(
        "\(address.shown) is an address, and only \"keepsake seal\" writes to one; name a file.",
        .usage)
    }
    guard path != nothing else { return }
    switch try? DurableFile.kind(of: path) {
    case .symbolicLink:
      let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
      // A link to no file is not resolved.
      let target =
        FileManager.default.fileExists(atPath: resolved)
        ? resolved : try FileManager.default.destinationOfSymbolicLink(atPath: path)
      let advice =
        path.hasPrefix("/dev/")
        ? "Leave -o out, and redirect standard output" : "Name its target, \"\(target)\""
      throw Failure(
        "\"\(path)\" is a symbolic link, and the new file would replace the link, not what it leads to. \(advice).",
        .inputOutput)
    default: break
    }
  }
}

extension Failure {
  /// The refusal to write bytes to a terminal, which would take some of them for commands.
  static func notForTerminal(_ content: String) -> Failure {
    Failure(
      "\(content) is not for a terminal; name a file by -o FILE, or use a pipe. -o - writes it all the "
        + "same.", .usage)
  }
}

/// A private directory for a sealed file that is read again before it is written to its destination.
enum Scratch {
  /// Runs work that makes a sealed file, and passes that to a closure; both get its path.
  ///
  /// The directory never has the content in the clear.
  static func holding(
    _ make: (String) throws -> Void, _ use: (String) throws -> Void
  ) throws {
    let directory = try Self.directory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let file = directory + "/sealed"
    try make(file)
    try use(file)
  }

  /// Runs work that makes a sealed file, and writes that to a file or to standard output.
  ///
  /// `armored` is true when the text form is written.
  static func writing(
    to path: String? = nil, armored: Bool = false, _ make: (String) throws -> Void
  ) throws {
    try holding(make) { file in try copy(file, to: path, armored: armored) }
  }

  private static func copy(_ file: String, to path: String?, armored: Bool) throws {
    guard let handle = FileHandle(forReadingAtPath: file) else {
      throw Failure("\(file) cannot be read: it has just disappeared.", .inputOutput)
    }
    let output = Output(to: path)
    if armored {
      let bytes = Array(try handle.read(upToCount: ArmoredText.contentByteLimit + 1) ?? Data())
      try output.write(text: try ArmoredText.text(of: bytes))
      return try output.finish()
    }
    while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
      if Interruption.isRequested { return }
      try output.write(bytes: Array(piece))
    }
    try output.finish()
  }

  /// A file without a name, to write and read.
  static func namelessFile() throws -> FileHandle {
    let directory = try Self.directory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let file = directory + "/sealed"
    try DurableFile.createExclusively(at: file, with: [UInt8]().span)
    guard let handle = FileHandle(forUpdatingAtPath: file) else {
      throw Failure("\(file) cannot be written: it has just disappeared.", .inputOutput)
    }
    return handle
  }

  private static func directory() throws -> String {
    guard ProcessStart.isUTF8(variable: "TMPDIR") else {
      throw Failure(
        "TMPDIR is not UTF-8, so it would name another directory; name one for temporary files that is.",
        .inputOutput)
    }
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("keepsake-\(UUID().uuidString.lowercased())").path
    try DurableFile.createDirectory(at: directory)
    return directory
  }
}

extension Failure {
  /// Runs work that makes a new file.
  ///
  /// Where the system says that the file is absent, the failure says that no file can be made there.
  static func making<Result: ~Copyable>(
    _ path: String, _ work: () throws(SealError) -> Result
  ) throws -> Result {
    do throws(SealError) {
      return try work()
    } catch {
      guard error.code == .fileAbsent, error.path == path else { throw error }
      throw Failure(
        "No file can be made at \"\(path)\"; name a place in a directory that takes files.",
        .inputOutput)
    }
  }
}
