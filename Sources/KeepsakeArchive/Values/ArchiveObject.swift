/// A class whose instances are stored with their identity: shared objects stay shared, equal ones
/// stay distinct, cycles close.
///
/// Reading takes two phases. First ``init(from:)`` makes each object as a shell; it may read the object's own
/// values but no other object. When every object that it refers to exists as a shell, ``decode(from:)`` fills it. So
/// a reference may lead to an object that is still a shell: keep it, and do not use it before the whole graph is
/// returned.
///
/// Objects are visited in a loop, never by recursion, so a list of a million nodes needs no deep stack. Classes that
/// hold such a graph should also release it without recursion.
public protocol ArchiveObject: AnyObject, SendableMetatype {
  /// The stable name that the type is registered and stored under; not empty.
  static var archiveTypeName: String { get }

  /// The version of the type's set of keys, 0 by default.
  static var archiveSchemaVersion: UInt32 { get }

  /// The name of the template that the object was made from, nil by default.
  ///
  /// It is stored under the reserved key ``ArchiveKey/template``, where a decoder of the object can read it.
  var archiveTemplate: String? { get }

  /// Writes the object's values.
  ///
  /// - Parameter coder: A coder whose keys are this object's own.
  func encode(to coder: inout ObjectEncoder)

  /// Makes the shell of an object that is being read.
  ///
  /// - Parameter coder: The object's own values; reading another object here throws.
  /// - Throws: ``ArchiveError``, or an error of the type's own, when the values are not as expected.
  init(from coder: borrowing ObjectDecoder) throws

  /// Fills the shell.
  ///
  /// When reading the graph fails, this is called once more for each object, and every reference is then nil: each
  /// assignment here replaces the one before, so that the abandoned objects do not keep each other in memory.
  ///
  /// - Parameter coder: The object's values; another object may be a shell or filled.
  /// - Throws: ``ArchiveError``, or an error of the type's own, when the values are not as expected.
  func decode(from coder: borrowing ObjectDecoder) throws
}

extension ArchiveObject {
  /// The first version.
  public static var archiveSchemaVersion: UInt32 { 0 }

  /// No template.
  public var archiveTemplate: String? { nil }

  /// Reads nothing more: for classes whose initialiser reads everything.
  public func decode(from coder: borrowing ObjectDecoder) throws {}
}
