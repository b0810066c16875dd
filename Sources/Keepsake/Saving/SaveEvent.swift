public import KeepsakeRestoration

/// What became of a save of a ``StateSaver``.
public enum SaveEvent: Equatable, Sendable {
  /// The state has reached the store, or an older one was removed because the app declined to save.
  case saved(SaveReport)
  /// The state was not written, because a newer one was encoded, or the state was discarded, meanwhile.
  case overtaken
  /// The state was not saved; it is tried again with the next mark, save or shutdown.
  case failed(RestorationError)
}
