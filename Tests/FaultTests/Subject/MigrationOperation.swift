internal import Foundation
internal import Keepsake

/// Migrates a sealed archive of version 1 to version 2.
struct MigrationOperation {
  private let path: String
  private let key: SealKey
  private let plan: MigrationPlan

  init(path: String) throws {
    self.path = path
    key = try SealKey.read(at: ProcessInfo.processInfo.environment["KEEPSAKE_FAULT_KEY"] ?? "")
    plan = try MigrationOperation.plan()
  }

  static func plan() throws -> MigrationPlan {
    try MigrationPlan(
      programVersion: BundleVersion("2"),
      steps: [
        MigrationStep(
          from: BundleVersion("1"), to: BundleVersion("2"),
          edits: [.renameKey("nm", to: "name", ofType: "Contact")])
      ])
  }

  /// An archive of version 1, with this number of objects.
  static func archive(objectCount: UInt32) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: ReservedValues(bundleVersion: "1"))
    for number in 1...objectCount {
      try writer.writeObject(ArchiveObjectID(number), typeName: "Contact") { coder in
        coder.encode("Contact number \(number)", forKey: "nm")
      }
    }
    return try writer.finish(root: ArchiveObjectID(1))
  }

  /// Throws the error of the sealed file, as the file operations do.
  func run() throws {
    do throws(KeepsakeError) {
      try plan.migrateFile(at: path, keys: [key])
    } catch {
      throw error.underlyingError ?? error
    }
  }
}
