/// The size of a terminal in characters.
public struct TerminalSize: Hashable, Sendable {
  /// How many characters stand in a line.
  public let width: Int
  /// How many lines there are.
  public let height: Int

  /// Makes a size.
  ///
  /// - Parameters:
  ///   - width: How many characters stand in a line.
  ///   - height: How many lines there are.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}
