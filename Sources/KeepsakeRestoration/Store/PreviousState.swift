/// What a save does with the archive that it replaces.
public enum PreviousState: Hashable, Sendable {
  /// It is replaced, and gone.
  case replace
  /// It is kept under another name, because it was damaged and nobody has looked at it yet.
  case setAside
}
