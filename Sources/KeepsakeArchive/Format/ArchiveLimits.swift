/// How much an archive may ask of a writer or a reader.
///
/// Everything that a reader allocates is in proportion to the bytes it is given, since no value can
/// be contained twice; these limits bound the rest (Spec/archive.md, 7.6). The defaults suit the
/// state of an application; raise one when a legitimate archive exceeds it.
public struct ArchiveLimits: Hashable, Sendable {
  /// The largest archive, in bytes.
  public var byteCount = 1 << 36
  /// The largest record of one object with all that is nested in it, in bytes.
  public var recordByteCount = 1 << 30
  /// The deepest nesting of values in one object, and of scopes in one record.
  public var nestingDepth = 64
  /// The longest name of a key, a scope or a type, in UTF-8 bytes.
  public var nameByteCount = 1 << 16
  /// The most distinct keys and scopes.
  public var keyCount = 1 << 20
  /// The most distinct pairs of type name and schema version.
  public var typeCount = 1 << 16
  /// The most distinct shapes.
  public var shapeCount = 1 << 20
  /// The most keys of one record.
  public var slotCount = 1 << 16

  /// Makes a set of limits that starts with the defaults.
  public init() {}

  /// The limits that hold when none are given.
  public static let `default` = ArchiveLimits()
}
