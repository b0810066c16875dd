import Foundation

/// The `age` command, which is no part of the package and need not be there.
enum Age {
  static let path = find("age")
  static let keyGeneratorPath = find("age-keygen")

  static var isInstalled: Bool { path != nil && keyGeneratorPath != nil }

  private static func find(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
