import CommandSupport
import Foundation
import Keepsake

/// Describes the demo's files, with and without the key.
@MainActor
struct DemoFileReport {
  let files: ContactsFiles
  let interface: [String]

  func lines() throws -> [String] {
    let path = files.state.archivePath
    let summary = try SealedFile.inspect(path)
    let mode = try FileManager.default.attributesOfItem(atPath: files.state.keyPath)
    let permissions = (mode[.posixPermissions] as? NSNumber)?.intValue ?? 0
    return [
      "The file: \(path)",
      "  \(summary.fileSize) bytes, \(summary.chunkCount) chunk of up to \(summary.chunkSize) bytes, "
        + "\(summary.slotTypes.count) key slot (\(summary.slotTypes.map(\.description).list))",
      "  its key: \(files.state.keyPath), mode 0\(String(permissions, radix: 8))",
      "  readable without the key: the sizes above, format version \(summary.version), a random file "
        + "identifier, \(summary.publicMetadata.count) bytes of public metadata",
      try stateInPlainText(),
    ]
  }

  /// Checks that the file shows no word of the interface and none of the archive in plain text.
  private func stateInPlainText() throws -> String {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: files.state.archivePath))
    let words = Set(
      interface.flatMap { $0.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) }
        .map(String.init) + ["KeepsakeArchive", "Keepsake.Application", "ContactList"]
    ).filter { $0.utf8.count >= 4 }
    let found = words.filter { bytes.range(of: Data($0.utf8)) != nil }.sorted()
    guard found.isEmpty else {
      throw Failure(
        "The sealed file shows \(found.joined(separator: ", ")) in plain text; this is a defect of "
          + "Keepsake, please report it.", .difference)
    }
    return "  of the state itself: nothing; none of \(words.count) words of the interface is in it"
  }
}

extension [String] {
  fileprivate var list: String { joined(separator: ", ") }
}
