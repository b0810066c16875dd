import KeepsakeArchive
import KeepsakeFiles
import KeepsakeMigration
import KeepsakeSeal

/// The migration of one sealed file (Spec/migration.md, section 7).
struct SealedMigration {
  let plan: MigrationPlan
  let path: String
  let identities: [SealIdentity]
  let recipients: [SealRecipient]
  let options: FileMigrationOptions

  /// The context of the file: the caller's, or the one in the public metadata of the file of a state or a value.
  private var context: [UInt8] {
    guard options.context.isEmpty else { return options.context }
    return (try? SealedFile.inspect(path))?.statedContext ?? []
  }

  /// Migrates the file, under the lock of its state directory if it is the file of a state.
  ///
  /// The file name tells whether it is one; other files have no lock.
  func runLocked(isDryRun: Bool) throws(KeepsakeError) -> MigrationReport {
    guard var directory = StateDirectory(archivePath: path) else {
      return try run(isDryRun: isDryRun)
    }
    directory.allowsMissingLocks = options.allowsMissingLocks
    let lock = try directory.exclusiveLock(isReading: isDryRun)
    defer { withExtendedLifetime(lock) {} }
    return try run(isDryRun: isDryRun)
  }

  /// Runs the steps in memory and replaces the file if they have changed anything.
  func run(isDryRun: Bool) throws(KeepsakeError) -> MigrationReport {
    do {
      return try SealedFile.replaceContent(
        of: path, with: identities, for: recipients, dropsOthers: options.dropsOtherSlots,
        signingKey: options.signingKey, dropsSignature: options.dropsSignature,
        signsUnsigned: options.signsUnsigned, context: context, expecting: options.expectation,
        policy: options.policy
      ) { bytes in
        let migrated = try plan.migrate(
          Archive(bytes, limits: options.limits), listing: options.objectLimit ?? 0,
          limits: options.limits)
        return (isDryRun ? nil : migrated.bytes, migrated.report)
      }
    } catch let error as MigrationError {
      let refusal = KeepsakeError(error, at: path)
      guard options.keepsRefusedFiles, !isDryRun else { throw refusal }
      do throws(FileError) {
        try keepRefused()
      } catch {
        throw KeepsakeError(
          refusal.code,
          "\(refusal.message) It may not have been kept under another name: \(error.message).",
          at: path, underlyingError: refusal.underlyingError)
      }
      throw refusal
    } catch let error as SealError {
      throw KeepsakeError(opening: error)
    } catch {
      throw KeepsakeError(
        .damaged,
        "\(path) was not migrated and is unchanged, because it holds no valid archive: \(error)",
        at: path, underlyingError: error)
    }
  }

  /// Gives the file a second name, which is unused.
  private func keepRefused() throws(FileError) {
    while true {
      let asidePath = try DurableFile.freePath(beside: path, "refused")
      do throws(FileError) {
        return try DurableFile.preserve(path, as: asidePath)
      } catch {
        // Another process took the name in between.
        if error.code != .alreadyExists { throw error }
      }
    }
  }
}
