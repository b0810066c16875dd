import Foundation
import Testing

/// The Swift blocks of a page, and whether the compiler takes them.
private struct Page {
  let blocks: [String]

  init(_ path: String) throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    blocks = text.components(separatedBy: "```swift\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }

  /// The manifest of a package, if the page has one.
  var manifest: String? { blocks.first { $0.hasPrefix("// swift-tools-version") } }

  /// The blocks as source files: one that begins with imports begins a file.
  var files: [String] {
    var files: [String] = []
    for block in blocks where block != manifest {
      if block.hasPrefix("import") || files.isEmpty { files.append("") }
      files[files.count - 1] += block + "\n"
    }
    return files
  }
}

@Suite struct `The documentation's examples` {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private struct Result {
    let status: Int32
    let output: String
  }

  private func run(_ arguments: [String]) throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self))
  }

  /// Has the compiler check source files as one module that uses the modules of this build.
  private func typecheck(_ files: [String]) throws -> Result {
    try withTemporaryDirectory { (directory: URL) throws in
      let products = try Tool.url.deletingLastPathComponent()
      let target = try run(["swiftc", "-print-target-info"]).output
      let resources = try #require(
        target.firstMatch(of: /"runtimeResourcePath":\s*"([^"]+)"/)?.output.1)
      var paths: [String] = []
      for (number, file) in files.enumerated() {
        let url = directory.appendingPathComponent("File\(number).swift")
        try Data(file.utf8).write(to: url)
        paths.append(url.path)
      }
      return try run(
        [
          "swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-module-name",
          "Notes",
          "-I", products.appendingPathComponent("Modules").path,
          "-Xcc", "-fmodule-map-file=\(Self.root.path)/Sources/CSodium/module.modulemap",
          "-plugin-path", "\(resources)/host/plugins/testing",
        ] + paths)
    }
  }

  @Test(arguments: ["README.md", "Sources/Keepsake/Keepsake.docc/GettingStarted.md"])
  func `compile`(path: String) throws {
    let files = try Page(path).files
    #expect(!files.isEmpty)
    let result = try typecheck(files)
    #expect(result.status == 0, "\(path): \(result.output)")
  }

  @Test func `make a package`() throws {
    let page = try Page("Sources/Keepsake/Keepsake.docc/GettingStarted.md")
    let manifest = try #require(page.manifest)
    try withTemporaryDirectory { (directory: URL) throws in
      try Data(manifest.utf8).write(to: directory.appendingPathComponent("Package.swift"))
      let result = try run(["swift", "package", "--package-path", directory.path, "dump-package"])
      #expect(result.status == 0 && result.output.contains("NotesTests"), "\(result.output)")
    }
  }

  @Test func `are refused when they are wrong`() throws {
    let result = try typecheck(["import Keepsake\n\nlet directory: StateDirectory = 1\n"])
    #expect(result.status != 0 && result.output.contains("cannot convert"))
  }
}
