/// Keeps a saved state between two launches: in a sealed file, in memory, or in a place that the app chooses.
///
/// The engine uses no files. A store may, on a thread of its choice. The engine calls it on the main actor, so that a
/// store that only keeps a value need not change threads. A store that blocks hands its work to a queue, or declares
/// the function as `@concurrent`. A call runs to its end even if the task of the caller is cancelled.
///
/// Every error that a store throws is a ``RestorationError`` with one of the codes `keyUnavailable`, `damaged` and
/// `storeUnavailable`: they decide whether a later save may replace the stored archive.
public protocol RestorationStore: Sendable {
  /// Reads the saved archive, decrypted and whole; `absent` if there is no archive.
  ///
  /// The result has the number of launches in a row that called ``beginRestoration(attempt:)`` but not
  /// ``endRestoration()``.
  nonisolated(nonsending) func load() async throws(RestorationError) -> StoredState

  /// Replaces the saved archive durably, or leaves it unchanged; `previous` says whether the old one is kept.
  nonisolated(nonsending) func save(_ archive: [UInt8], previous: PreviousState)
    async throws(RestorationError)

  /// Removes the saved archive, if there is one.
  nonisolated(nonsending) func remove() async throws(RestorationError)

  /// Moves the saved archive and the mark aside, so that the next launch does not find them.
  ///
  /// The result is the new place of the archive, as part of a sentence: for example a path.
  nonisolated(nonsending) func setAside() async throws(RestorationError) -> String

  /// Marks the store, since the restored state may kill this launch; called before any callback of the application.
  ///
  /// The mark stays until ``endRestoration()``, even across saves. A store of files also removes it when the process
  /// ends in order (Spec/state.md, section 1, rule 12). The first launch that tries to restore the archive is attempt
  /// 1; all launches before this one died in the attempt.
  func beginRestoration(attempt: Int) throws(RestorationError)

  /// Removes the mark, once the launch has succeeded with the restored state.
  func endRestoration() throws(RestorationError)

  /// The reason why nothing can be saved, as a full sentence, when ``load()`` has found a state that can be read but
  /// not written; otherwise `nil`, which is the default.
  ///
  /// The state is still restored, the report of the restore has the sentence, and nothing is saved.
  var savingObstacle: String? { get }
}

extension RestorationStore {
  /// `nil`: the store can be written.
  public var savingObstacle: String? { nil }
}

/// The saved state of a store, if it has one.
public enum StoredState: Hashable, Sendable {
  /// Nothing has been saved.
  case absent
  /// An archive, decrypted and whole, and the number of launches in a row that died while they restored it.
  case archive([UInt8], failedLaunchCount: Int)
}

/// The fate of the archive that a save replaces.
public enum PreviousState: Hashable, Sendable {
  /// The archive is deleted.
  case replace
  /// The archive is kept under another name, because it was damaged and has not been inspected.
  case setAside
}

/// The state of an application at one moment, encoded and not yet written.
package struct EncodedState: Sendable {
  /// The objects of the state, and those that were left out.
  package let report: SaveReport
  /// The archive; `nil` when the application declined to save.
  let archive: [UInt8]?
}
