public import KeepsakeFiles
public import KeepsakeMigration
public import KeepsakeSeal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Migration of sealed files (Spec/migration.md, section 7).

extension MigrationPlan {
  /// Migrates the archive in a sealed file, and replaces the file durably.
  ///
  /// If the process dies, either the old file or the new one is there, complete. The new file has a new data key, a
  /// slot for each recipient, the same context, public metadata, creator and chunk size, and the next generation. A
  /// file that needs no migration is not written. The call blocks.
  ///
  /// The file of a state directory, `state.keepsake`, is migrated under the lock of that directory; the migration is
  /// refused while a process, this one included, uses the state.
  ///
  /// - Parameters:
  ///   - path: The path of the sealed file.
  ///   - identities: The identities that open the present file.
  ///   - recipients: All recipients of the new file; together they must account for every slot of the present one.
  ///   - isDryRun: Whether nothing is written.
  ///   - options: Context, slots that may be lost, and the length of the report.
  /// - Returns: The changes; those of a dry run are yet to be made.
  /// - Throws: ``KeepsakeError`` when no key fits, a slot would be lost, the archive is refused or damaged, a step
  ///   fails, the state is in use, another program replaced the file meanwhile, or it cannot be written; the file is
  ///   then unchanged, unless the error says that the new file may not have reached the disk.
  @discardableResult
  public func migrateFile(
    at path: some FilePathConvertible, with identities: [SealIdentity],
    for recipients: [SealRecipient], isDryRun: Bool = false,
    options: FileMigrationOptions = FileMigrationOptions()
  ) throws(KeepsakeError) -> MigrationReport {
    var options = options
    if isDryRun { options.objectLimit = options.objectLimit ?? 1_000 }
    return try SealedMigration(
      plan: self, path: path.filePath, identities: identities, recipients: recipients,
      options: options
    ).runLocked(isDryRun: isDryRun)
  }

  /// Migrates the archive in a file that is sealed with raw keys.
  ///
  /// It does the same as ``migrateFile(at:with:for:isDryRun:options:)``.
  ///
  /// There are between 1 and 32 keys: together they must open every slot of the file, and each will open the new one.
  @discardableResult
  public func migrateFile(
    at path: some FilePathConvertible, keys: [SealKey], isDryRun: Bool = false,
    options: FileMigrationOptions = FileMigrationOptions()
  ) throws(KeepsakeError) -> MigrationReport {
    try migrateFile(
      at: path, with: keys.map { .key($0) }, for: keys.map { .key($0) }, isDryRun: isDryRun,
      options: options)
  }
}

extension MigrationPlan {
  /// Migrates every sealed archive of a directory and its subdirectories, one after the other.
  ///
  /// Archives are the files whose names end in `.keepsake`; names that begin with a period are skipped. Links to
  /// directories are not followed, and a link in place of a file fails. A file that cannot be migrated does not stop
  /// the others.
  ///
  /// - Parameters:
  ///   - path: The path of the directory.
  ///   - isDryRun: True when nothing is written.
  ///   - options: The options for each file.
  ///   - keys: Returns the keys of each file, by its path; an error that it throws is the outcome of that file.
  /// - Returns: The result for each file, in the order of their paths.
  /// - Throws: ``KeepsakeError`` when the directory cannot be read.
  public func migrateFiles(
    inDirectory path: some FilePathConvertible, isDryRun: Bool = false,
    options: FileMigrationOptions = FileMigrationOptions(),
    keys: (String) throws -> [SealKey]
  ) throws(KeepsakeError) -> [FileMigration] {
    let path = path.filePath
    guard try Self.kind(of: path + "/.") == .directory else {
      throw KeepsakeError(
        .storeUnavailable,
        "The directory \(path.displayed) cannot be read; check that it exists and that you may read it.",
        at: path)
    }
    return try outcomes(inDirectory: path) { path in migrated(path, isDryRun, options, keys) }
  }

  /// The results for the archives below a directory, in the order of their paths; a directory that cannot be read has
  /// one result, and does not stop the others.
  private func outcomes(
    inDirectory top: String, _ migrated: (String) -> FileMigration
  ) throws(KeepsakeError) -> [FileMigration] {
    var outcomes: [FileMigration] = []
    var directories = [top]
    while let directory = directories.popLast() {
      do throws(KeepsakeError) {
        let names = try KeepsakeError.access { () throws(FileError) in
          try DurableFile.names(in: directory)
        }
        var archives: [String] = []
        for path in names.filter({ !$0.hasPrefix(".") }).map({ directory + "/" + $0 }) {
          do throws(KeepsakeError) {
            if try Self.kind(of: path) == .directory {
              directories.append(path)
            } else if path.hasSuffix(".keepsake") {
              archives.append(path)
            }
          } catch {
            // The kind of this entry is unknown, or no path leads to it; it may contain archives.
            outcomes.append(FileMigration(path: path, outcome: .failed(error)))
          }
        }
        outcomes += archives.map(migrated)
      } catch {
        if directory == top { throw error }
        outcomes.append(FileMigration(path: directory, outcome: .failed(error)))
      }
    }
    return outcomes.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  private static func kind(of path: String) throws(KeepsakeError) -> FileKind {
    try KeepsakeError.access { () throws(FileError) in try DurableFile.kind(of: path) }
  }

  private func migrated(
    _ path: String, _ isDryRun: Bool, _ options: FileMigrationOptions,
    _ keys: (String) throws -> [SealKey]
  ) -> FileMigration {
    do {
      let keys = try keys(path)
      var options = options
      options.objectLimit = options.objectLimit ?? 0
      let report = try migrateFile(at: path, keys: keys, isDryRun: isDryRun, options: options)
      return FileMigration(
        path: path, outcome: report.isRewritten ? .migrated(report) : .unchanged(report))
    } catch let error as KeepsakeError {
      return FileMigration(path: path, outcome: .failed(error))
    } catch {
      return FileMigration(
        path: path,
        outcome: .failed(
          KeepsakeError(
            .keyUnavailable,
            "The keys of \(path.displayed) are unavailable: \(Self.words(of: error))", at: path,
            underlyingError: error)))
    }
  }

  /// The text of an error of the caller, as the end of a sentence; an error of Foundation contributes only its cause
  /// and its path, since its text is a sentence of its own.
  private static func words(of error: any Error) -> String {
    switch error {
    case let error as CocoaError:
      let cause = error.underlying.map { words(of: $0) } ?? "Cocoa error \(error.code.rawValue)"
      return [cause, error.filePath].compactMap(\.self).joined(separator: ", ")
    case let error as POSIXError: return "the system says \(error.code)"
    case let error as any LocalizedError: return error.errorDescription ?? "\(error)"
    default: return "\(error)"
    }
  }
}
