public import KeepsakeRestoration

extension RestorationError.Code {
  /// A save was asked for after the ``StateSaver`` was shut down.
  public static let savingEnded = Self(rawValue: "savingEnded")
  /// The application of a ``StateSaver`` was released, so that its state can no longer be encoded.
  public static let applicationReleased = Self(rawValue: "applicationReleased")
  /// The state was discarded before a save of it was written.
  public static let saveDiscarded = Self(rawValue: "saveDiscarded")
}
