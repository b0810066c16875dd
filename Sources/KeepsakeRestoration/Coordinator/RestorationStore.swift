/// Where a saved state is kept between two launches: a sealed file, memory, or an app's own place.
///
/// The engine touches no file; a store does, on a thread of its own choosing. The engine calls it on the
/// main actor, so that nothing has to change threads for a store that only keeps a value: a store that
/// blocks hands its work to a queue, or declares the function as `@concurrent`. What was begun is not given
/// up when the task of the caller is cancelled.
///
/// Every error that a store throws is a ``RestorationError`` with one of the codes `keyUnavailable`,
/// `damaged` and `storeUnavailable`: they decide whether a later save may replace what is there.
public protocol RestorationStore: Sendable {
  /// Reads the saved archive.
  ///
  /// - Returns: The archive's bytes, decrypted and whole, with the number of launches in a row that
  ///   called ``beginRestoration(attempt:)`` and not ``endRestoration()``; or that there are none.
  /// - Throws: ``RestorationError``.
  nonisolated(nonsending) func load() async throws(RestorationError) -> StoredState

  /// Replaces the saved archive, durably or not at all.
  ///
  /// - Parameters:
  ///   - archive: The archive's bytes.
  ///   - previous: What to do with the archive that is replaced.
  /// - Throws: ``RestorationError``.
  nonisolated(nonsending) func save(_ archive: [UInt8], previous: PreviousState)
    async throws(RestorationError)

  /// Removes the saved archive; no error when there is none.
  ///
  /// - Throws: ``RestorationError``.
  nonisolated(nonsending) func remove() async throws(RestorationError)

  /// Moves the saved archive and the mark out of the way, so that the next launch does not meet them.
  ///
  /// - Returns: Where the archive is now, as part of a sentence: a path, for one.
  /// - Throws: ``RestorationError``.
  nonisolated(nonsending) func setAside() async throws(RestorationError) -> String

  /// Leaves a mark that a restored state may end this launch; called before any callback of the application.
  ///
  /// It stays until ``endRestoration()``, also over saves. A store of files takes it away as well when the process ends in
  /// order (Spec/state.md, section 1, rule 12).
  ///
  /// - Parameter attempt: 1 for the first launch that restores this archive, and one more for each
  ///   launch before it that died in the attempt.
  /// - Throws: ``RestorationError``.
  func beginRestoration(attempt: Int) throws(RestorationError)

  /// Removes the mark, once the launch has succeeded with what was restored.
  ///
  /// - Throws: ``RestorationError``.
  func endRestoration() throws(RestorationError)

  /// Why nothing can be saved, as a full sentence, where ``load()`` has found a state that can be read and not written;
  /// `nil` where it can, and by default.
  ///
  /// The state is restored then, the report of the restore has the sentence, and nothing is saved.
  var savingObstacle: String? { get }
}

extension RestorationStore {
  /// Says that the store can be written.
  public var savingObstacle: String? { nil }
}

/// What a store found when it was asked for the saved state.
public enum StoredState: Hashable, Sendable {
  /// Nothing has been saved.
  case absent
  /// An archive, decrypted and whole, and how many launches in a row have died while they restored it.
  case archive([UInt8], failedLaunchCount: Int)
}

/// What a save does with the archive that it replaces.
public enum PreviousState: Hashable, Sendable {
  /// It is replaced, and gone.
  case replace
  /// It is kept under another name, because it was damaged and nobody has looked at it yet.
  case setAside
}

/// The state of an application at one moment, encoded and not yet written.
public struct EncodedState: Sendable {
  /// What the state holds, and what was left out.
  public let report: SaveReport
  /// The archive; `nil` when the application declined to save.
  let archive: [UInt8]?
}
