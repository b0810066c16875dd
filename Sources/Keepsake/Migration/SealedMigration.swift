import KeepsakeArchive
import KeepsakeMigration
import KeepsakeSeal

/// The migration of one sealed file: opened, its slots accounted for, nothing written yet.
struct SealedMigration {
  private let path: String
  private let keys: [SealKey]
  private let options: FileMigrationOptions
  private let file: OpenedSealedFile

  init(path: String, keys: [SealKey], options: FileMigrationOptions) throws(KeepsakeError) {
    self.path = path
    self.keys = keys
    self.options = options
    do throws(SealError) {
      file = try SealedFile.open(path, keys: keys, context: options.context)
    } catch {
      throw KeepsakeError(opening: error)
    }
    if !options.dropsOtherSlots { try requireAllSlots() }
  }

  /// Makes the steps in memory.
  func migrated(by plan: MigrationPlan) throws(KeepsakeError) -> MigratedArchive {
    let bytes: [UInt8]
    do throws(SealError) {
      bytes = try file.read()
    } catch {
      throw KeepsakeError(opening: error)
    }
    do {
      return try plan.migrate(
        Archive(bytes, limits: options.limits), listing: options.objectLimit,
        limits: options.limits)
    } catch let error as MigrationError {
      if options.keepsRefusedFiles { try keepRefused() }
      throw KeepsakeError(error, at: path)
    } catch {
      throw KeepsakeError(
        .damaged, "\(path) was not migrated and is as it was: it holds no sound archive. \(error)")
    }
  }

  /// Seals the migrated archive in place of the file.
  func replace(with archive: [UInt8]) throws(KeepsakeError) {
    var sealOptions = SealOptions()
    sealOptions.context = options.context
    sealOptions.publicMetadata = file.summary.publicMetadata
    sealOptions.generation = file.generation &+ 1
    sealOptions.creator = file.creator
    if let size = SealOptions.ChunkSize.allCases.first(where: {
      $0.byteCount == file.summary.chunkSize
    }) {
      sealOptions.chunkSize = size
    }
    try requireUnchanged()
    do throws(SealError) {
      try SealedFile.seal(archive.span, to: path, keys: keys, options: sealOptions)
    } catch {
      throw KeepsakeError(.storeUnavailable, error)
    }
  }

  /// Looks whether somebody has saved the file since it was opened.
  private func requireUnchanged() throws(KeepsakeError) {
    let fileID: [UInt8]
    do throws(SealError) {
      fileID = try SealedFile.inspect(path).fileID
    } catch {
      throw KeepsakeError(.storeUnavailable, error)
    }
    guard fileID == file.summary.fileID else {
      throw KeepsakeError(
        .storeUnavailable,
        "\(path) was not migrated, because another program replaced it in the meantime; migrate it "
          + "again when that program has ended.")
    }
  }

  /// Finds the slots that none of the keys opens (Spec/migration.md, section 7).
  private func requireAllSlots() throws(KeepsakeError) {
    var opened: Set<Int> = []
    for key in keys {
      do throws(SealError) {
        opened.insert(
          try SealedFile.open(path, keys: [key], context: options.context).openedBySlot)
      } catch {
        // A key without a slot yet gets one.
        if error.code != .noMatchingKey { throw KeepsakeError(opening: error) }
      }
    }
    let types = file.summary.slotTypes
    let lost = types.indices.filter { !opened.contains($0) }
    guard let first = lost.first else { return }
    let names = lost.map { "\($0 + 1) (\(types[$0]))" }.joined(separator: ", ")
    throw KeepsakeError(
      .slotWouldBeLost,
      "\(path) was not migrated and is as it was: none of the keys opens its key "
        + (lost.count == 1 ? "slot \(first + 1) (\(types[first]))" : "slots \(names)")
        + ", which the new file would not have; give all keys, or allow such slots to be dropped.")
  }

  /// Keeps the file under a name that nothing has, as well as its own.
  private func keepRefused() throws(KeepsakeError) {
    do throws(SealError) {
      while true {
        let refuge = try DurableFile.freePath(beside: path, "refused")
        do throws(SealError) {
          return try DurableFile.preserve(path, as: refuge)
        } catch {
          // Somebody else took the name in between.
          if error.code != .alreadyExists { throw error }
        }
      }
    } catch {
      throw KeepsakeError(.storeUnavailable, error)
    }
  }
}
