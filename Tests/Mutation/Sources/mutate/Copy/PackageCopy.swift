import Foundation

/// A copy of a package in a scratch folder, where mutants are written and built.
///
/// A file is written only when it changes, so that a second run builds little.
struct PackageCopy {
  let original: URL
  let root: URL

  private static let leftOut: Set = [".git", ".swiftpm", "Package.resolved"]

  /// Makes the copy equal to the package, except for the files with other texts.
  func refresh(replacing texts: [String: Data] = [:]) throws {
    let files = FileManager.default
    try files.createDirectory(at: root, withIntermediateDirectories: true)
    let wanted = try Self.paths(below: original, leavingOut: root)
    for path in wanted {
      let target = root.appendingPathComponent(path)
      let data = try texts[path] ?? Data(contentsOf: original.appendingPathComponent(path))
      try write(data, to: target, like: original.appendingPathComponent(path))
    }
    for (path, data) in texts where !wanted.contains(path) {
      try write(data, to: root.appendingPathComponent(path), like: nil)
    }
    for path in try Self.paths(below: root, leavingOut: nil)
    where !wanted.contains(path) && texts[path] == nil {
      try files.removeItem(at: root.appendingPathComponent(path))
    }
  }

  private func write(_ data: Data, to target: URL, like source: URL?) throws {
    if let present = try? Data(contentsOf: target), present == data { return }
    let files = FileManager.default
    try files.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: target)
    if let source, files.isExecutableFile(atPath: source.path) {
      try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: target.path)
    }
  }

  /// The paths of all files, without build products and without this package, which contains the copy.
  private static func paths(below root: URL, leavingOut scratch: URL?) throws -> Set<String> {
    var paths: Set<String> = []
    var waiting = [""]
    while let folder = waiting.popLast() {
      let url = folder.isEmpty ? root : root.appendingPathComponent(folder)
      for name in try FileManager.default.contentsOfDirectory(atPath: url.path)
      where !name.hasPrefix(".build") && !leftOut.contains(name) {
        let path = folder.isEmpty ? name : "\(folder)/\(name)"
        let place = root.appendingPathComponent(path)
        let values = try place.resourceValues(forKeys: [.isDirectoryKey, .isRegularFileKey])
        if values.isDirectory == true, path != "Tests/Mutation", place.path != scratch?.path {
          waiting.append(path)
        } else if values.isRegularFile == true {
          paths.insert(path)
        }
      }
    }
    return paths
  }

  /// The manifest of the copy, with only the named targets, and without the dependencies that only others have.
  func manifest(keeping targets: Set<String>) throws -> Data {
    let text = try String(
      contentsOf: original.appendingPathComponent("Package.swift"), encoding: .utf8)
    let names = targets.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
    let addition = """

      let kept: Set<String> = [\(names)]
      package.targets = package.targets.filter { kept.contains($0.name) }
      for target in package.targets {
        target.dependencies.removeAll { dependency in
          if case .targetItem(let name, _) = dependency { !kept.contains(name) } else { false }
        }
      }
      // Tests start programs by the names of their products.
      package.products.removeAll { product in
        guard let program = product as? Product.Executable else { return true }
        return !program.targets.allSatisfy(kept.contains)
      }
      // A package that no target names is fetched whatever the traits say.
      let packages = package.targets.flatMap { $0.dependencies }.compactMap { dependency in
        if case .productItem(_, let package, _, _) = dependency { package } else { nil }
      }
      package.dependencies.removeAll { dependency in
        guard case .sourceControl(_, let location, _) = dependency.kind else { return false }
        return !packages.contains { location.hasSuffix("/" + $0) }
      }

      """
    return Data((text + addition).utf8)
  }
}
