/// Limits on the size of an archive and its parts, for a writer or a reader.
///
/// A reader allocates memory in proportion to the bytes that it is given, since no value can be contained twice;
/// these limits bound the rest (Spec/archive.md, 7.6). Opening, checking and reading without types take up to 64
/// bytes for each byte of an archive, and 128 for each object that is kept. The defaults suit the state of an app;
/// raise a limit when a legitimate archive exceeds it. Data that exceeds a limit is an error with the code
/// `limitExceeded`, which says whether the limit is one of these or of the format.
public struct ArchiveLimits: Hashable, Sendable {
  /// The largest archive, in bytes: 64 GiB by default.
  public var byteCount = 1 << 36
  /// The largest record of one object, including the values nested in it, in bytes: 1 GiB by default.
  ///
  /// A record cannot have more than 4,294,967,295 bytes, whatever the limit.
  public var recordByteCount = 1 << 30
  /// The deepest nesting of values in one object, and of scopes in one record: 64 levels by default.
  ///
  /// The record of the object is the first level of values; each nested container is one level more.
  public var nestingDepth = 64
  /// True when `nestingDepth` is what the stack of the calling thread has room for, which errors then say.
  package var isNestingForStack = false
  /// The maximum length of the name of a key, a scope, a case or a type in bytes of UTF-8: by default 65,535, also the
  /// maximum of the format.
  public var nameByteCount = 65_535
  /// The maximum number of distinct keys, scopes and cases: by default 1,048,576, also the maximum of the format.
  public var keyCount = 1 << 20
  /// The maximum number of distinct pairs of type name and schema version: by default 65,536, also the maximum of the
  /// format.
  public var typeCount = 1 << 16
  /// The maximum number of distinct shapes: 1,048,576 by default.
  ///
  /// A shape is a type with a list of keys.
  public var shapeCount = 1 << 20
  /// The maximum number of keys of one record: by default 65,535, also the maximum of the format.
  public var slotCount = 65_535
  /// The maximum number of values of one record that is read without its type, or by a `Codable` type that reads all
  /// keys.
  ///
  /// Nil, the default, allows eight values for each byte of the record and 64 more, which no record of a writer
  /// exceeds. So memory stays in proportion to the bytes of the archive, even if a later kind of value takes no
  /// bytes.
  public var valueCount: Int?

  /// Makes the default limits.
  public init() {}
}

/// One of the limits, as an error names it.
package enum LimitName: String {
  case byteCount, recordByteCount, nestingDepth, nameByteCount, keyCount, typeCount, shapeCount
  case slotCount, valueCount

  /// The maximum of the format, whatever the limit (Spec/archive.md, 4); nil where the format has no
  /// bound.
  var formatMaximum: Int? {
    switch self {
    case .recordByteCount: Int(UInt32.max)
    case .nameByteCount: NameLength.largest
    case .keyCount: KeyEntry.largestCount
    case .typeCount: TypeEntry.largestCount
    case .shapeCount: ShapeEntry.largestCount
    case .slotCount: ShapeEntry.largestWordCount
    case .byteCount, .nestingDepth, .valueCount: nil
    }
  }

  /// The advice for data that is too large when the limit is not raised.
  var alternative: String {
    switch self {
    case .byteCount: "split it over several archives"
    case .recordByteCount: "split the record over several objects"
    case .nestingDepth: "nest it less"
    case .nameByteCount: "use a shorter name, and store a long text as a value"
    case .keyCount: "store names of data as the keys of dictionaries, which have no such limit"
    case .typeCount: "give fewer types a name or a version of their own"
    case .shapeCount: "have the records of a type write the same keys"
    case .slotCount: "store the values as a dictionary, which has no such limit"
    case .valueCount: "read the record by its keys"
    }
  }

  /// The advice for data that exceeds the caller's limit.
  package var advice: String {
    "If the data is legitimate, raise \(rawValue) in the ArchiveLimits that you give to what reads or writes it; "
      + "otherwise \(alternative)."
  }
}

extension ArchiveError {
  /// Creates the error for data that exceeds the caller's limit, or the format's when the caller's is not smaller.
  ///
  /// The clause `what` names the data and its size; `offset` is a byte of the archive, if one is read.
  @inline(never)
  package init(_ what: String, exceeds name: LimitName, of limit: Int, offset: Int? = nil) {
    if let most = name.formatMaximum, limit >= most {
      self.init(
        .limitExceeded, "\(what), and the format has no room for more than \(most)", offset: offset)
      // No writer makes an archive with more, so one that is read is damaged.
      remedy =
        offset == nil
        ? "No limit can be raised for it: \(name.alternative)." : ArchiveError(.damaged, "").advice
    } else {
      self.init(
        .limitExceeded, "\(what), and ArchiveLimits.\(name) allows \(limit)", offset: offset)
      remedy = name.advice
    }
  }

  /// Creates the error for an archive with `count` keys, types or shapes; nil when the limit and the format allow them.
  init?(
    _ count: Int, _ what: String, exceeds name: LimitName, of limit: Int, offset: Int? = nil
  ) {
    if count <= min(limit, name.formatMaximum ?? .max) { return nil }
    self.init("the archive has \(count) \(what)", exceeds: name, of: limit, offset: offset)
  }

  /// Creates the error for values or scopes that are nested too deep.
  @inline(never)
  package init(nesting what: String, _ limits: ArchiveLimits, offset: Int? = nil) {
    if limits.isNestingForStack {
      self.init(
        .limitExceeded,
        "\(what) are nested deeper than the \(limits.nestingDepth) levels that the stack of this thread has room for",
        offset: offset)
      remedy =
        "If the data is legitimate, read it on a thread with a larger stack, or give ArchiveLimits with a larger "
        + "nestingDepth if you know that the stack is enough."
      return
    }
    self.init(
      "\(what) are nested deeper than that", exceeds: .nestingDepth, of: limits.nestingDepth,
      offset: offset)
  }
}
