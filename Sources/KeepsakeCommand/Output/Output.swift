import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// Standard output, in large pieces; or a file, which is replaced as a whole by ``finish()``; or `/dev/null`.
///
/// An output that cannot be written throws.
final class Output {
  private static let pieceByteCount = 1 << 16
  private let path: String?
  private var file: DurableFileWriter?
  private var pending: [UInt8] = []

  /// Begins to write to a file, or to standard output where there is no path.
  init(to path: String? = nil) { self.path = path }

  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  func write(text: String) throws {
    pending.append(contentsOf: text.utf8)
    if pending.count >= Self.pieceByteCount { try flush() }
  }

  func write(line: String) throws {
    try write(text: line)
    try write(text: "\n")
  }

  func write(lines: [String]) throws {
    for line in lines { try write(line: line) }
  }

  /// Adds bytes as they are.
  func write(bytes: [UInt8]) throws {
    if pending.isEmpty, bytes.count >= Self.pieceByteCount { return try put(bytes) }
    pending.append(contentsOf: bytes)
    if pending.count >= Self.pieceByteCount { try flush() }
  }

  /// Writes all bytes that were added, and replaces the file.
  func finish() throws {
    guard let path, path != OutputPath.nothing else { return try flush() }
    try begin(path)
    try flush()
    guard let file = file.take() else { return }
    try file.finish()
  }

  /// Writes the bytes that were added so far; a file is not replaced yet.
  func flush() throws {
    try put(pending)
    pending.removeAll(keepingCapacity: true)
  }

  private func begin(_ path: String) throws {
    if file != nil { return }
    file = try Failure.making(path) { () throws(SealError) in
      try callingFiles { () throws(FileError) in try DurableFileWriter(at: path) }
    }
  }

  private func put(_ bytes: [UInt8]) throws {
    guard !bytes.isEmpty else { return }
    guard let path else { return try Self.put(bytes) }
    if Interruption.isRequested { throw Interruption.stopped }
    if path == OutputPath.nothing { return }
    try begin(path)
    try file?.write(bytes.span)
  }

  static func print(_ lines: [String]) throws {
    let output = Output()
    try output.write(lines: lines)
    try output.flush()
  }

  /// Writes a document of JSON at once.
  static func print(_ json: JSONValue) throws {
    try print([json.text(indented: true)])
  }

  private static func put(_ bytes: [UInt8]) throws(Failure) {
    guard !bytes.isEmpty else { return }
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(bytes))
    } catch {
      throw Failure(
        "Standard output could not be written (\(Self.reason(error))); the output is incomplete.",
        .inputOutput)
    }
  }

  private static func reason(_ error: any Error) -> String {
    let underlying = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    let text = (underlying ?? error as NSError).localizedDescription
    // Foundation's first sentence has no information.
    return text.replacing("The operation could not be completed. ", with: "")
  }
}

extension String {
  /// The text itself for a pipe or a file; for a terminal, with an escape for each control character.
  var displayedOnTerminal: String { Output.isTerminal ? displayed : self }
}

/// The options of every verb that prints a report.
struct OutputOptions: ParsableArguments {
  @Flag(help: "Print one document of JSON in place of text.")
  var json = false

  /// Prints the lines, or the document where the user wants JSON.
  func print(_ lines: @autoclosure () -> [String], json document: @autoclosure () -> JSONValue)
    throws
  {
    if json { try Output.print(document()) } else { try Output.print(lines()) }
  }

  /// Prints the result of a change that cannot be undone any more: a failure says that the change was made.
  func print(
    after change: String, _ lines: @autoclosure () -> [String],
    json document: @autoclosure () -> JSONValue
  ) throws {
    do {
      try print(lines(), json: document())
    } catch let failure as Failure {
      throw Failure(
        [change, failure.message].filter { !$0.isEmpty }.joined(separator: " "), failure.status)
    }
  }
}
