import Foundation
import Testing

@Suite struct `The dependency arrows` {
  @Test func `Targets depend on each other exactly as drawn`() throws {
    let package = try DescribedPackage.ofThisRepository()
    #expect(DependencyArrows.violations(in: package) == [])
  }

  @Test func `The only outside packages are swift-argument-parser and those of traits`() throws {
    let package = try DescribedPackage.ofThisRepository()
    #expect(
      package.dependencies.map(\.identity) == [
        "swift-argument-parser", "swift-syntax", "swift-log", "swift-sodium", "async-http-client",
        "swift-nio",
      ])
  }

  @Test func `Each library module is one product, and the tool is another one`() throws {
    var expected = ["keepsake": ["KeepsakeCommand"]]
    for library in DependencyArrows.librariesAndTools.keys
    where library.hasPrefix("Keepsake")
      && !["KeepsakeCommand", "KeepsakeMacros"].contains(library)
    {
      expected[library] = [library]
    }
    // `Keepsake` names its parts: otherwise a target that imports them through it is not rebuilt when one of them
    // changes.
    expected["Keepsake"] = [
      "Keepsake", "KeepsakeArchive", "KeepsakeDocuments", "KeepsakeCodable", "KeepsakeFiles",
      "KeepsakeSeal", "KeepsakeJournal", "KeepsakeMigration", "KeepsakeRestoration",
      "KeepsakeHeadless", "KeepsakeImport",
    ]
    #expect(try DescribedPackage.declaredProducts() == expected)
  }

  @Test
  func `The products for archives, Codable, migration and restoration do not contain libsodium`()
    throws
  {
    let package = try DescribedPackage.ofThisRepository()
    let sodium = try #require(package.targets.first { $0.name == "CSodium" })
    let memberships = try #require(sodium.productMemberships)
    for free in [
      "KeepsakeArchive", "KeepsakeDocuments", "KeepsakeCodable", "KeepsakeMigration",
      "KeepsakeRestoration", "KeepsakeHeadless", "KeepsakeImport", "KeepsakeFiles",
    ] {
      #expect(!memberships.contains(free))
    }
  }

  @Test func `A wrong, a missing and an unknown arrow are each named`() throws {
    let package = try DescribedPackage(
      json: Data(
        """
        {"name": "P", "dependencies": [], "targets": [
          {"name": "KeepsakeArchive", "type": "library", "path": "A",
           "target_dependencies": ["KeepsakeSeal"]},
          {"name": "KeepsakeSeal", "type": "library", "path": "S"},
          {"name": "Extra", "type": "library", "path": "E"}]}
        """.utf8))
    let violations = DependencyArrows.violations(in: package)
    #expect(violations.contains("KeepsakeArchive must not depend on KeepsakeSeal."))
    #expect(
      violations.contains(
        "KeepsakeSeal no longer depends on SodiumLibrary: take the arrow out of the table."))
    #expect(violations.contains("The target Extra is not in the table of arrows."))
    #expect(
      violations.contains("The target Keepsake is in the table of arrows but not in the package."))
  }

  @Test func `Sources import only what their arrows allow`() throws {
    let targets = try DescribedPackage.ofThisRepository().targets
      .filter { DependencyArrows.librariesAndTools.keys.contains($0.name) }
    #expect(targets.count == DependencyArrows.librariesAndTools.count)
    for target in targets {
      for path in try PackageRoot.swiftFiles(below: target.path) {
        let forbidden = try DependencyArrows.forbiddenImports(
          in: PackageRoot.text(of: path), of: target.name)
        #expect(forbidden == [], "\(path)")
      }
    }
  }

  @Test(
    arguments: [
      "import Foundation",
      "public import Foundation",
      "@preconcurrency import Foundation",
      "@_exported public import Foundation",
      "  import struct Foundation.URL",
    ])
  func `An import that no arrow allows is found`(line: String) {
    let source = "// import Glibc\n" + line + "\nimport Synchronization\n"
    #expect(DependencyArrows.forbiddenImports(in: source, of: "KeepsakeArchive") == ["Foundation"])
    #expect(DependencyArrows.forbiddenImports(in: source, of: "KeepsakeCodable") == [])
  }
}
