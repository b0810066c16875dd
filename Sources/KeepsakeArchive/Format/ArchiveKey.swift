/// The name that a value is stored under, within one scope of one object.
///
/// Any UTF-8 string is an ordinary key, "bundleVersion" and "$class" included: the keys that Keepsake itself writes
/// are in a separate namespace, as the constants of this type. Keys are compared by their bytes, without Unicode
/// normalisation (Spec/archive.md, sections 1 and 2).
public struct ArchiveKey: Sendable {
  /// The name, without the namespace.
  public var name: String

  /// True when the key is one of the reserved constants.
  public let isReserved: Bool

  /// Makes an ordinary key of any string, whose UTF-8 bytes are the key.
  @inlinable
  public init(_ name: String) {
    self.name = name
    isReserved = false
  }

  package init(reserved name: String) {
    self.name = name
    isReserved = true
  }

  /// The bundle version of the program that wrote the archive, a string such as "11.0".
  public static let bundleVersion = ArchiveKey(reserved: "bundleVersion")
  /// The user interface idiom that the archive was written under, an integer.
  public static let userInterfaceIdiom = ArchiveKey(reserved: "userInterfaceIdiom")
  /// When the archive was written, an ``ArchiveDate``.
  public static let timestamp = ArchiveKey(reserved: "timestamp")
  /// The version of the operating system that the archive was written under, a string.
  public static let systemVersion = ArchiveKey(reserved: "systemVersion")
  /// The name of the template that the object was made from, a string; stored per object.
  public static let template = ArchiveKey(reserved: "template")
}

extension ArchiveKey: Hashable {
  /// Whether both keys are of one namespace and have the same bytes.
  public static func == (left: ArchiveKey, right: ArchiveKey) -> Bool {
    left.isReserved == right.isReserved && left.name.hasSameBytes(as: right.name)
  }

  /// Feeds the namespace and the bytes to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(isReserved)
    name.hashBytes(into: &hasher)
  }
}

extension ArchiveKey: ExpressibleByStringLiteral {
  /// Makes an ordinary key of a literal, whose UTF-8 bytes are the key.
  @inlinable
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension ArchiveKey: CustomStringConvertible {
  /// The name, with control characters escaped; a reserved key is shown in angle brackets, as in
  /// `<bundleVersion>`.
  public var description: String { isReserved ? "<\(name)>" : name.displayed }
}

extension ArchiveKey {
  /// Whether both keys have the same storage bits, which makes them equal; equal keys may have different bits.
  package func isIdentical(to other: ArchiveKey) -> Bool {
    isReserved == other.isReserved && StringIdentity(name) == StringIdentity(other.name)
  }

  /// A hash of the storage bits of the name, for a place in a small table.
  package var identityHash: Int { Int(truncatingIfNeeded: StringIdentity(name).mixed >> 32) }
}
