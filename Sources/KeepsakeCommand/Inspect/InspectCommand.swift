import ArgumentParser
import CommandSupport
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

  @Flag(help: "Print how many bytes each type and each key takes, instead of the tree.")
  var sizes = false

  @MainActor
  func run() async throws {
    try await Failure.reporting(as: "keepsake") {
      var lines: [String] = []
      let archive = try open(describingIn: &lines)
      var tree = ArchiveTree(archive)
      lines += try sizes ? SizeTable(archive).lines : tree.lines()
      print(lines.joined(separator: "\n"))
    }
  }

  private func open(describingIn lines: inout [String]) throws -> Archive {
    if let archive = try plainArchive() {
      lines.append("\(file.displayed): an archive of \(archive.byteCount) bytes, not sealed")
      return archive
    }
    let keyFile = key ?? Self.keyFile(beside: file)
    let purpose = try SealedFile.inspect(file).statePurpose
    let opened = try SealedFile.open(
      file, keys: [try KeyFile.read(at: keyFile)], context: purpose?.context ?? [])
    lines.append(Self.describe(opened, at: file))
    do {
      return try Archive(try opened.read())
    } catch let error as ArchiveError {
      throw Failure("\(file) opens with its key, but holds no sound archive: \(error)", .damaged)
    }
  }

  /// The archive of a file without a seal, or `nil` when the file is sealed.
  private func plainArchive() throws -> Archive? {
    do {
      _ = try SealedFile.inspect(file)
      return nil
    } catch {
      guard error.code == .notSealedFile else { throw error }
      // A plain archive says so by its own first bytes; anything else is refused as neither.
      let bytes = try DurableFile.read(at: file, upTo: Self.largestPlainArchive)
      guard let archive = try? Archive(bytes) else { throw error }
      return archive
    }
  }

  private static func describe(_ opened: OpenedSealedFile, at file: String) -> String {
    let summary = opened.summary
    let purpose = summary.statePurpose.map { ", the state of \($0)" } ?? ""
    let slots = summary.slotTypes.map(\.description).joined(separator: ", ")
    return "\(file.displayed): sealed\(purpose), \(summary.fileSize) bytes, "
      + "generation \(opened.generation), chunks of \(summary.chunkSize) bytes: "
      + "\(summary.chunkCount), key slots: \(slots)"
  }

  private static func keyFile(beside file: String) -> String {
    URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent("key").path
  }
}

/// The sizes of an archive as text: its types, the largest first, each with its keys.
private struct SizeTable {
  private let sizes: ArchiveSizes

  init(_ archive: Archive) throws(ArchiveError) {
    sizes = try archive.sizes()
  }

  /// The lines of the text.
  var lines: [String] {
    let values = sizes.types.reduce(0) { $0 + $1.byteCount }
    let names = sizes.byteCount - values
    var lines = [
      "Sizes: \(sizes.byteCount) bytes, of which \(values) in objects and \(names) in names and "
        + "directories"
    ]
    for type in sizes.types {
      let objects = type.objectCount == 1 ? "1 object" : "\(type.objectCount) objects"
      lines.append("  \(type.typeName.displayed): \(type.byteCount) bytes in \(objects)")
      let largestFirst = type.keys.sorted { $0.byteCount > $1.byteCount }
      for key in largestFirst {
        let bytes = key.byteCount == 1 ? "1 byte" : "\(key.byteCount) bytes"
        lines.append("    \(key.name): \(bytes), \(key.valueCount)x")
      }
    }
    return lines
  }
}
