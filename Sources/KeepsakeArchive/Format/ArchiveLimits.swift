/// How much an archive may ask of a writer or a reader.
///
/// Everything that a reader allocates is in proportion to the bytes it is given, since no value can
/// be contained twice; these limits bound the rest (Spec/archive.md, 7.6). The defaults suit the
/// state of an application; raise one when a legitimate archive exceeds it. What exceeds a limit is an
/// error with the code `limitExceeded`.
public struct ArchiveLimits: Hashable, Sendable {
  /// The largest archive, in bytes: 64 GiB unless another number is given.
  public var byteCount = 1 << 36
  /// The largest record of one object with all that is nested in it, in bytes: 1 GiB unless another
  /// number is given.
  ///
  /// A record cannot have more than 4,294,967,295 bytes, whatever the limit.
  public var recordByteCount = 1 << 30
  /// The deepest nesting of values in one object, and of scopes in one record: 64 levels unless
  /// another number is given.
  ///
  /// The object's own record is the first level of values, and each container in it one more.
  public var nestingDepth = 64
  /// The longest name of a key, a scope, a case or a type: 65,535 bytes of UTF-8, which is also the most
  /// that the format allows, unless another number is given.
  public var nameByteCount = 65_535
  /// The most distinct keys, scopes and cases: 1,048,576, which is also the most that the format allows,
  /// unless another number is given.
  public var keyCount = 1 << 20
  /// The most distinct pairs of type name and schema version: 65,536, which is also the most that the
  /// format allows, unless another number is given.
  public var typeCount = 1 << 16
  /// The most distinct shapes, of which each is a type with a list of keys: 1,048,576 unless another
  /// number is given.
  public var shapeCount = 1 << 20
  /// The most keys of one record: 65,535, which is also the most that the format allows, unless another
  /// number is given.
  public var slotCount = 65_535
  /// The most values that one record may have when it is read whole: without its type, or by a
  /// `Codable` type that asks for all keys.
  ///
  /// Nil, the default, allows eight for each byte of the record, which none that a writer makes
  /// exceeds, and 64 more. So what reading makes stays in proportion to the bytes of the archive,
  /// although a later kind of value may take no bytes.
  public var valueCount: Int?

  /// Makes a set of limits that starts with the defaults.
  public init() {}

  /// The limits that hold when none are given.
  public static let `default` = ArchiveLimits()

  /// What the error of an archive says that exceeds one of the limits, of which `most` are allowed by
  /// it, or by the format where that is less.
  static func excess(_ what: String, _ limit: String, allows most: Int) -> String {
    "\(what), and ArchiveLimits.\(limit) allows \(most)"
  }

  /// What it says of values or scopes that are nested too deep.
  func excess(nesting what: String) -> String {
    Self.excess("\(what) are nested deeper than that", "nestingDepth", allows: nestingDepth)
  }
}
