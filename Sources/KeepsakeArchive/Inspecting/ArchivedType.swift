/// The name and the version of a type, in one object: so a record without them is small enough to lie
/// in a value without an allocation of its own.
final class ArchivedType: Sendable {
  let name: String
  let schemaVersion: UInt32

  /// Nil for a type without name and version.
  init?(_ name: String, _ schemaVersion: UInt32) {
    if name.isEmpty, schemaVersion == 0 { return nil }
    self.name = name
    self.schemaVersion = schemaVersion
  }
}
