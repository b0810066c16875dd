/// An enumeration whose cases have values.
///
/// Each case has a stable name and writes its values under keys. An enumeration without such values
/// is better given a raw value: then the conformance to ``ArchiveValue`` needs no code. How a case
/// is stored is stated in Spec/archive.md, 5.4.
///
/// ```swift
/// enum Route {
///   case home, detail(contact: UUID, isEditing: Bool)
/// }
///
/// extension Route: ArchiveEnumeration {
///   var archiveCase: ArchiveKey {
///     switch self {
///     case .home: "home"
///     case .detail: "detail"
///     }
///   }
///
///   func encode(to coder: inout ObjectEncoder) {
///     guard case .detail(let contact, let isEditing) = self
///     else { return }
///     coder.encode(contact, forKey: "contact")
///     coder.encode(isEditing, forKey: "isEditing")
///   }
///
///   init(
///     archiveCase: ArchiveKey,
///     from coder: borrowing ObjectDecoder
///   ) throws(ArchiveError) {
///     switch archiveCase {
///     case "home": self = .home
///     case "detail":
///       self = .detail(
///         contact: try coder.decode(forKey: "contact"),
///         isEditing: try coder.decode(forKey: "isEditing"))
///     default: throw .unknownCase(archiveCase, of: Self.self)
///     }
///   }
/// }
/// ```
public protocol ArchiveEnumeration: ArchiveValue {
  /// The stable name of the type that inspectors show; empty by default.
  static var archiveTypeName: String { get }

  /// The version of the type's set of cases and keys, 0 by default.
  static var archiveSchemaVersion: UInt32 { get }

  /// The stable name of the case.
  var archiveCase: ArchiveKey { get }

  /// Writes the values of the case.
  ///
  /// - Parameter coder: A coder whose keys are this value's own.
  func encode(to coder: inout ObjectEncoder)

  /// Makes a case of its name and its values.
  ///
  /// - Throws: ``ArchiveError`` when the type has no such case, or a value is not what was expected.
  init(archiveCase: ArchiveKey, from coder: borrowing ObjectDecoder) throws(ArchiveError)
}

extension ArchiveEnumeration {
  /// No name.
  @inlinable public static var archiveTypeName: String { "" }

  /// The first version.
  @inlinable public static var archiveSchemaVersion: UInt32 { 0 }

  /// The tag of an enumeration.
  @inlinable public static var archiveTag: ArchiveTag { .enumeration }

  /// Writes the case with its values.
  @inlinable
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeNested(
      case: archiveCase, typeName: Self.archiveTypeName,
      schemaVersion: Self.archiveSchemaVersion, at: place
    ) { coder in encode(to: &coder) }
  }

  /// Reads a case with its values.
  @inlinable
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    let record = try coder.lentRecord(.enumeration)
    try self.init(archiveCase: record.enumerationCase ?? "", from: record)
  }
}

extension ArchiveError {
  /// The error of an enumeration that has no case of a stored name, with the code `invalidValue`.
  public static func unknownCase(
    _ name: ArchiveKey, of type: any ArchiveEnumeration.Type
  ) -> ArchiveError {
    ArchiveError(.invalidValue, "\(type) has no case named \"\(name)\"")
  }
}
