/// One entry of a stored dictionary.
public struct ArchivedEntry: Hashable, Sendable {
  /// The key, which is a value and never a reference.
  public var key: ArchivedValue
  /// The value under the key.
  public var value: ArchivedValue

  /// Makes an entry.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - value: The value under the key.
  public init(key: ArchivedValue, value: ArchivedValue) {
    self.key = key
    self.value = value
  }
}
