import Foundation

/// What `swift package describe --type json` says of this package.
struct DescribedPackage: Decodable {
  struct Target: Decodable {
    var name: String
    var type: String
    var path: String
    var targetDependencies: [String]?
    var productDependencies: [String]?
    var productMemberships: [String]?

    /// Everything that the target may import, sorted.
    var dependencies: [String] {
      ((targetDependencies ?? []) + (productDependencies ?? [])).sorted()
    }
  }

  struct Product: Decodable {
    var name: String
    var targets: [String]
  }

  struct Dependency: Decodable {
    var identity: String
  }

  var targets: [Target]
  var products: [Product]
  var dependencies: [Dependency]

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  init(json: Data) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    self = try decoder.decode(DescribedPackage.self, from: json)
  }

  /// Asks SwiftPM about the repository.
  ///
  /// The build folder is locked while tests run, so this one works in a folder of its own.
  static func ofThisRepository() throws -> DescribedPackage {
    let scratch = FileManager.default.temporaryDirectory
      .appending(path: "keepsake-describe-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: scratch) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", PackageRoot.url.path,
      "--scratch-path", scratch.path, "describe", "--type", "json",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.standardError
    try process.run()
    let json = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "swift package describe ended with \(process.terminationStatus).")
    }
    return try DescribedPackage(json: json)
  }
}
