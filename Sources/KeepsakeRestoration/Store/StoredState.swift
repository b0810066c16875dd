/// What a store found when it was asked for the saved state.
public enum StoredState: Hashable, Sendable {
  /// Nothing has been saved.
  case absent
  /// An archive, decrypted and whole, and how many launches in a row have died while they restored it.
  case archive([UInt8], failedLaunchCount: Int)
}
