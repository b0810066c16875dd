/// The number of an object in one archive.
///
/// Ids start at 1 and are given in the order in which objects are first referred to, the root
/// first. They mean nothing outside their archive (Spec/archive.md, 4.4).
public struct ArchiveObjectID: Hashable, Sendable {
  /// The number; 1 for the first object.
  public let rawValue: UInt32

  /// Makes an id with a number.
  ///
  /// - Parameter rawValue: The number; 1 for the first object.
  @inlinable
  public init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }
}

extension ArchiveObjectID: Comparable {
  /// Whether the left object comes before the right one in the archive.
  public static func < (left: ArchiveObjectID, right: ArchiveObjectID) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension ArchiveObjectID: CustomStringConvertible {
  /// The number after a number sign, as in `#12`.
  public var description: String { "#\(rawValue)" }
}
