public import KeepsakeRestoration

extension RestorationError.Code {
  /// A save was asked for after the ``StateSaver`` was shut down.
  public static let savingEnded = Self(rawValue: "savingEnded")
  /// The state was discarded before a save of it was written.
  public static let saveDiscarded = Self(rawValue: "saveDiscarded")
}
