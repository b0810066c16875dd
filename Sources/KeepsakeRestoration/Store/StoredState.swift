/// What a store found when it was asked for the saved state.
public enum StoredState: Sendable {
  /// Nothing has been saved.
  case absent
  /// An archive, decrypted and whole.
  case archive([UInt8])
  /// An earlier launch ended while it was restoring; the sentence says where its archive was moved.
  case interrupted(String)
}
