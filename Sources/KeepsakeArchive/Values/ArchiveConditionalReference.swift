/// A reference that does not by itself make its object part of the archive.
///
/// Engines that write objects through ``ArchiveWriter`` number such references from 1 and tell the
/// writer at the end which object each number stands for, if that object was written
/// (``ArchiveWriter/conditionalObjects``). Object graphs use
/// ``ObjectEncoder/encodeConditionalObject(_:forKey:)`` instead. Spec/archive.md, 4.5.
public struct ArchiveConditionalReference: Hashable, Sendable {
  /// The number among the conditional references, or 0 for a reference to none.
  public var number: UInt32

  /// Makes a conditional reference.
  ///
  /// - Parameter number: The number among the conditional references, 0 for none.
  public init(_ number: UInt32) {
    self.number = number
  }
}

extension ArchiveConditionalReference: ArchiveValue {
  /// The tag of a conditional reference.
  @inlinable public static var archiveTag: ArchiveTag { .conditionalReference }

  /// Writes the number.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    encoder.encodeConditionalReference(number, at: place)
  }

  /// Reads the number.
  ///
  /// - Parameter decoder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is no conditional reference, or one that the
  ///   archive does not list.
  public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    self.init(try decoder.conditionalNumber())
  }
}
