import Foundation
import Keepsake
import KeepsakeTesting

private struct Draft: Codable, Equatable, Sendable { var text = "Dear" }
private struct Order: Codable { var number: Int }

extension Situation {
  static var values: [Situation] {
    [
      Situation("A value is loaded that was never saved") { folder in
        _ = try SealedValue.load(
          Draft.self, from: folder + "/draft", with: .key(try .generate()))
      },
      Situation("A value is loaded with another key") { folder in
        try SealedValue.save(Draft(), to: folder + "/draft", for: .key(try .generate()))
        _ = try SealedValue.load(Draft.self, from: folder + "/draft", with: .key(try .generate()))
      },
      Situation("A value is loaded with a wrong passphrase") { folder in
        let cost = PassphraseCost(passes: 1, memoryByteCount: 8 << 20)
        try SealedValue.save(
          Draft(), to: folder + "/draft", for: .passphrase("correct horse", cost: cost))
        _ = try SealedValue.load(
          Draft.self, from: folder + "/draft", with: .passphrase("battery staple"))
      },
      Situation("A value is loaded as another type") { folder in
        let key = SealedValueKey.key(try .generate())
        try SealedValue.save(Draft(), to: folder + "/draft", for: key)
        _ = try SealedValue.load(Order.self, from: folder + "/draft", with: key)
      },
      Situation("A value is loaded for another purpose than it was saved for") { folder in
        let (path, key) = (folder + "/draft", SealedValueKey.key(try .generate()))
        try SealedValue.save(Draft(), to: path, for: key.forPurpose("drafts"))
        _ = try SealedValue.load(Draft.self, from: path, with: key.forPurpose("letters"))
      },
      Situation("A value is loaded from a damaged file") { folder in
        let (path, key) = (folder + "/draft", SealedValueKey.key(try .generate()))
        try SealedValue.save(Draft(), to: path, for: key)
        var bytes = try bytes(of: path)
        bytes[bytes.count - 1] ^= 1
        try write(bytes, to: path)
        _ = try SealedValue.load(Draft.self, from: path, with: key)
      },
      Situation("A value is saved into a directory that is not there") { folder in
        try SealedValue.save(Draft(), to: folder + "/a/draft", for: .key(try .generate()))
      },
      Situation("Another store has changed a value since it was loaded") { folder in
        let key = SealedValueKey.key(try .generate())
        let stores = (0..<2).map { _ in
          SealedValueStore(path: folder + "/draft", key: key, default: Draft())
        }
        _ = try stores[0].load()
        try stores[1].save(Draft(text: "Dear Ada"))
        try stores[0].save(Draft(text: "Dear Max"))
      },
    ]
  }

  /// Checks a state of the given version by version 2.0.
  private static func check(
    _ version: String?, _ policy: VersionPolicy, idiom: Int? = nil, age: Double? = nil
  ) throws {
    let reserved = ReservedValues(
      bundleVersion: version, userInterfaceIdiom: idiom,
      timestamp: age.map { ArchiveDate(secondsSinceReferenceDate: -$0) })
    let gate = VersionGate(programVersion: try BundleVersion("2.0"), policy: policy)
    _ = try gate.check(reserved)
  }

  private static func step(_ from: String, _ to: String) throws -> MigrationStep {
    MigrationStep(
      from: try BundleVersion(from), to: try BundleVersion(to), "nothing",
      edits: [.renameKey("a", to: "b", ofType: "Note")])
  }

  static var versions: [Situation] {
    [
      Situation("An older version wrote the state, and only this one's is opened") { _ in
        try check("1.4", .exactly)
      },
      Situation("A later version wrote the state") { _ in try check("3.0", .exactly) },
      Situation("The state does not say who wrote it") { _ in try check(nil, .exactly) },
      Situation("The state names something that is no version") { _ in try check("beta", .exactly)
      },
      Situation("The state is of another kind of interface") { _ in
        try check("2.0", VersionPolicy.exactly.requiringIdiom(1), idiom: 0)
      },
      Situation("The state is two days old, and may be one") { _ in
        let policy = VersionPolicy.exactly.expiring(afterSeconds: 86_400) {
          ArchiveDate(secondsSinceReferenceDate: 0)
        }
        try check("2.0", policy, age: 172_800)
      },
      Situation("A program's own version is no version") { _ in _ = try BundleVersion("2,0") },
      Situation("A migration plan has no step to the program's version") { _ in
        let plan = try MigrationPlan(
          programVersion: BundleVersion("3.0"), steps: [step("1.0", "2.0"), step("2.5", "3.0")])
        _ = try plan.steps(for: ReservedValues(bundleVersion: "1.0"))
      },
      Situation("Two migration steps begin with the same version") { _ in
        _ = try MigrationPlan(
          programVersion: BundleVersion("3.0"), steps: [step("1.0", "2.0"), step("1.0", "3.0")])
      },
      Situation("A migration step throws") { _ in
        var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "1.0"))
        try writer.writeObject(ArchiveObjectID(1), typeName: "Note") { $0.encode(1, forKey: "a") }
        let archive = try Archive(writer.finish(root: ArchiveObjectID(1)))
        let broken = MigrationEdit.editRecords(ofType: "Note", "give it a title") { _ in
          throw CocoaError(.featureUnsupported)
        }
        let step = MigrationStep(
          from: try BundleVersion("1.0"), to: try BundleVersion("2.0"), "titles", edits: [broken])
        _ = try MigrationPlan(programVersion: BundleVersion("2.0"), steps: [step]).migrate(archive)
      },
    ]
  }

  static var states: [Situation] {
    [
      Situation("The state was damaged") { folder in
        try await load(folder) { directory in
          var bytes = try bytes(of: directory.archivePath)
          bytes[bytes.count - 1] ^= 1
          try write(bytes, to: directory.archivePath)
        }
      },
      Situation("The key of the state is gone") { folder in
        try await load(folder) { try FileManager.default.removeItem(atPath: $0.keyPath) }
      },
      Situation("The key is that of another state") { folder in
        try await load(folder) { directory in
          try FileManager.default.removeItem(atPath: directory.keyPath)
          _ = try SealKey.create(at: directory.keyPath)
        }
      },
      Situation("A directory has the path of the state") { folder in
        try await load(folder) { directory in
          try FileManager.default.removeItem(atPath: directory.archivePath)
          try FileManager.default.createDirectory(
            atPath: directory.archivePath, withIntermediateDirectories: false)
        }
      },
      Situation("An app saves before it has prepared") { folder in
        let coordinator = RestorationCoordinator(
          directory: StateDirectory(path: folder + "/state"),
          configuration: RestorationConfiguration(bundleVersion: try BundleVersion("1.0")))
        try await coordinator.save(TodoApp())
      },
      Situation("An app saves after its state could not be read") { folder in
        let directory = StateDirectory(path: folder + "/state")
        try await SealedStateStore(directory: directory).save([1], previous: .replace)
        try FileManager.default.removeItem(atPath: directory.keyPath)
        let coordinator = RestorationCoordinator(
          directory: directory,
          configuration: RestorationConfiguration(bundleVersion: try BundleVersion("1.0")))
        await coordinator.launch(TodoApp())
        try await coordinator.save(TodoApp())
      },
    ]
  }

  /// Saves a state, lets something happen to it, and loads it.
  private static func load(
    _ folder: String, after happened: (StateDirectory) throws -> Void
  ) async throws {
    let directory = StateDirectory(path: folder + "/state")
    try await SealedStateStore(directory: directory).save([1, 2, 3], previous: .replace)
    try happened(directory)
    _ = try await SealedStateStore(directory: directory).load()
  }
}
