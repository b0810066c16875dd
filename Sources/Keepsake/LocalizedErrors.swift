// The errors of all modules as those that Foundation knows how to show: an alert, or a log that asks for
// `localizedDescription`, has the sentence in place of a name and a number. The modules below do without
// Foundation, so that the conformances stand here. KeepsakeCodable throws the errors of the standard library, which
// Foundation knows.

public import KeepsakeArchive
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
