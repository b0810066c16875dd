import ArgumentParser
import Foundation
import Keepsake

/// Prints what is in a sealed archive.
struct InspectCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Prints an archive as a tree of objects with keys, types and values.",
    discussion: """
      Nothing is written. The key file is looked for beside the archive, under the name "key". An \
      archive that is not sealed is printed as well.
      """)

  /// The most bytes that an archive without a seal may have to be printed.
  private static let largestPlainArchive = 1 << 30

  @Argument(help: "The file that the archive is in.")
  var file: String

  @Option(help: "The key file.")
  var key: String?

  func run() async throws {
    try await Failure.reporting {
      var lines: [String] = []
      var tree = ArchiveTree(try open(describingIn: &lines))
      lines += try tree.lines()
      print(lines.joined(separator: "\n"))
    }
  }

  private func open(describingIn lines: inout [String]) throws -> Archive {
    let summary: SealedFileSummary
    do throws(SealError) {
      summary = try SealedFile.inspect(file)
    } catch where error.code == .notSealedFile {
      // A plain archive says so by its own first bytes; anything else is refused as neither.
      let bytes = try DurableFile.read(at: file, upTo: Self.largestPlainArchive)
      guard let archive = try? Archive(bytes) else { throw error }
      lines.append("\(file): an archive of \(bytes.count) bytes, not sealed")
      return archive
    }
    let keyFile = key ?? Self.keyFile(beside: file)
    let opened = try SealedFile.open(file, keys: [try KeyFile.read(at: keyFile)])
    lines.append(
      "\(file): sealed, \(summary.fileSize) bytes, generation \(opened.generation), chunks of "
        + "\(summary.chunkSize) bytes: \(summary.chunkCount), key slots: "
        + summary.slotTypes.map(\.description).joined(separator: ", "))
    let bytes = try opened.read()
    do throws(ArchiveError) {
      return try Archive(bytes)
    } catch {
      throw Failure(
        message: "\(file) opens with its key, but holds no sound archive: \(error)",
        exitCode: Failure.damaged)
    }
  }

  private static func keyFile(beside file: String) -> String {
    URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("key").path
  }
}
