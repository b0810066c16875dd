/// The number of an object in one archive.
///
/// Ids start at 1 and are given in the order in which objects are first referred to, the root
/// first. They mean nothing outside their archive (Spec/archive.md, 4.4).
public struct ArchiveObjectID: Hashable, Sendable {
  /// The number; 1 for the first object.
  public let rawValue: UInt32

  /// Makes an id with a number, 1 for the first object.
  @inlinable
  public init(_ rawValue: UInt32) {
    self.rawValue = rawValue
  }
}

extension ArchiveObjectID: CustomStringConvertible {
  /// The number after a number sign, as in `#12`.
  public var description: String { "#\(rawValue)" }
}

/// A reference to an object by its id, or to none.
///
/// Engines that write objects through ``ArchiveWriter`` store these; the object itself may be
/// written before or after.
public struct ArchiveReference: Hashable, Sendable {
  /// The object, or nil for none.
  public var objectID: ArchiveObjectID?

  /// Makes a reference to an object, or to none.
  public init(_ id: ArchiveObjectID?) {
    objectID = id
  }
}

/// A reference that does not by itself make its object part of the archive.
///
/// Engines that write objects through ``ArchiveWriter`` number such references from 1 and tell the
/// writer at the end which object each number stands for, if that object was written
/// (``ArchiveWriter/conditionalObjects``). Object graphs use
/// ``ObjectEncoder/encodeConditionalReference(_:forKey:)`` instead. Spec/archive.md, 4.4.
public struct ArchiveConditionalReference: Hashable, Sendable {
  /// The number among the conditional references, or 0 for a reference to none.
  public var number: UInt32

  /// Makes a conditional reference of its number, 0 for a reference to none.
  public init(_ number: UInt32) {
    self.number = number
  }
}
