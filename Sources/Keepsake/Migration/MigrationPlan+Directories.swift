public import KeepsakeMigration
public import KeepsakeSeal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension MigrationPlan {
  /// Migrates every sealed archive of a directory and of those in it, one after the other.
  ///
  /// Archives are the files whose names end in `.keepsake`; what begins with a period is passed
  /// over. Links to directories are not followed, and one in place of a file fails. A file that
  /// cannot be migrated does not stop the others.
  ///
  /// - Parameters:
  ///   - path: The path of the directory.
  ///   - isDryRun: Whether nothing is written.
  ///   - options: As for one file.
  ///   - keys: Gives the keys of each file, by its path; what it throws is the outcome of that file.
  /// - Returns: What became of each file, in the order of their paths.
  /// - Throws: ``KeepsakeError`` when the directory cannot be read.
  public func migrateFiles(
    inDirectory path: String, isDryRun: Bool = false,
    options: FileMigrationOptions = FileMigrationOptions(),
    keys: (String) throws -> [SealKey]
  ) throws(KeepsakeError) -> [FileMigration] {
    let names: [String]
    do {
      names = try FileManager.default.subpathsOfDirectory(atPath: path)
    } catch {
      throw KeepsakeError(
        .storeUnavailable,
        "The directory \(path) cannot be read; check that it exists and that you may read it.")
    }
    let archives = names.filter { name in
      name.hasSuffix(".keepsake") && !name.split(separator: "/").contains { $0.hasPrefix(".") }
    }
    return archives.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { name in
      migrated("\(path)/\(name)", isDryRun, options, keys)
    }
  }

  private func migrated(
    _ path: String, _ isDryRun: Bool, _ options: FileMigrationOptions,
    _ keys: (String) throws -> [SealKey]
  ) -> FileMigration {
    do {
      let keys = try keys(path)
      let report =
        isDryRun
        ? try dryRunFile(at: path, keys: keys, options: options)
        : try migrateFile(at: path, keys: keys, options: options)
      return FileMigration(
        path: path, outcome: report.isRewritten ? .migrated(report) : .unchanged(report))
    } catch let error as KeepsakeError {
      return FileMigration(path: path, outcome: .failed(error))
    } catch {
      return FileMigration(
        path: path,
        outcome: .failed(
          KeepsakeError(.keyUnavailable, "The keys of \(path) cannot be had: \(error)")))
    }
  }
}
