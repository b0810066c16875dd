// Makes the errors of all modules `LocalizedError`s of Foundation: an alert, or a log that prints
// `localizedDescription`, then shows the sentence instead of a name and a number. The other modules do not import
// Foundation, so the conformances are here. KeepsakeCodable throws the errors of the standard library, which
// Foundation knows.

public import KeepsakeArchive
public import KeepsakeFiles
public import KeepsakeJournal
public import KeepsakeMigration
public import KeepsakeRestoration
public import KeepsakeSeal

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension ArchiveError: LocalizedError {
  /// The sentence that says what is wrong with which part of the archive.
  public var errorDescription: String? { description }
}

extension SealError: LocalizedError {
  /// The sentence that says what happened to which file, and what to do next.
  public var errorDescription: String? { description }
}

extension FileError: LocalizedError {
  /// The sentence that says what happened to which file, and what to do next.
  public var errorDescription: String? { description }
}

extension JournalError: LocalizedError {
  /// The sentence that says what happened to which journal, and what to do next.
  public var errorDescription: String? { description }
}

extension MigrationError: LocalizedError {
  /// The sentence that names the versions or the step, and says what to do next.
  public var errorDescription: String? { description }
}

extension RestorationError: LocalizedError {
  /// The sentence that says what happened to which object, and what to do next.
  public var errorDescription: String? { description }
}

extension KeepsakeError: LocalizedError {
  /// The sentence that says what happened to which file or key, and what to do next.
  public var errorDescription: String? { description }
}
