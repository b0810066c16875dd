import Foundation

/// The repository that this test was compiled from.
enum PackageRoot {
  static let url = URL(filePath: #filePath)
    .deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The Swift files below a folder, as paths relative to the root, in a fixed order.
  static func swiftFiles(below folder: String) throws -> [String] {
    try files(below: folder, withExtension: "swift")
  }

  static func files(below folders: [String], withExtension fileExtension: String) throws -> [String]
  {
    try folders.flatMap { try files(below: $0, withExtension: fileExtension) }
  }

  /// The files with an extension below a folder, as paths relative to the root, in a fixed order.
  ///
  /// Folders whose name begins with a dot hold build products and are skipped.
  private static func files(
    below folder: String, withExtension fileExtension: String
  ) throws -> [String] {
    let start = url.appending(path: folder)
    guard
      let walk = FileManager.default.enumerator(
        at: start, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
    else { return [] }
    var paths: [String] = []
    for case let file as URL in walk where file.pathExtension == fileExtension {
      paths.append(folder + file.path.dropFirst(start.path.count))
    }
    return paths.sorted()
  }

  static func text(of path: String) throws -> String {
    try String(contentsOf: url.appending(path: path), encoding: .utf8)
  }

  /// The names at the top level, without those that begin with a dot.
  static func topLevelEntries() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path)
      .filter { !$0.hasPrefix(".") }
      .sorted()
  }
}
