/// Where a saved state is kept between two launches: a sealed file, memory, or an app's own place.
///
/// The engine touches no file; a store does, off the main actor and with work of its own choosing.
/// Every error that a store throws is a ``RestorationError`` with one of the codes `keyUnavailable`,
/// `damaged` and `storeUnavailable`: they decide whether a later save may replace what is there.
public protocol RestorationStore: Sendable {
  /// Reads the saved archive.
  ///
  /// When ``beginRestoration()`` was called in an earlier launch without ``endRestoration()``, the
  /// archive is moved aside first, so that it cannot end the next launch as well.
  ///
  /// - Returns: The archive's bytes, decrypted and whole, or why there are none.
  /// - Throws: ``RestorationError``.
  func load() async throws(RestorationError) -> StoredState

  /// Replaces the saved archive, durably or not at all.
  ///
  /// - Parameters:
  ///   - archive: The archive's bytes.
  ///   - previous: What to do with the archive that is replaced.
  /// - Throws: ``RestorationError``.
  func save(_ archive: [UInt8], previous: PreviousState) async throws(RestorationError)

  /// Removes the saved archive; no error when there is none.
  ///
  /// - Throws: ``RestorationError``.
  func remove() async throws(RestorationError)

  /// Leaves a mark that a restore is under way; called before any callback of the application.
  ///
  /// - Throws: ``RestorationError``.
  func beginRestoration() throws(RestorationError)

  /// Removes the mark, once everything has been restored.
  ///
  /// - Throws: ``RestorationError``.
  func endRestoration() throws(RestorationError)
}
