/// How large a saved state may be, in bytes of its archive.
///
/// An object that exceeds it loses its own state, and keeps its place: the save never fails for size.
public struct RestorationBudget: Hashable, Sendable {
  /// The most bytes that one object may write.
  public var objectByteCount: Int
  /// The most bytes that the whole archive should have; what places and names need is always kept.
  public var totalByteCount: Int

  /// Creates a budget.
  ///
  /// - Parameters:
  ///   - objectByteCount: The most bytes that one object may write; 1 MiB unless said otherwise.
  ///   - totalByteCount: The most bytes of the whole archive; 64 MiB unless said otherwise.
  public init(objectByteCount: Int = 1 << 20, totalByteCount: Int = 64 << 20) {
    self.objectByteCount = objectByteCount
    self.totalByteCount = totalByteCount
  }
}
