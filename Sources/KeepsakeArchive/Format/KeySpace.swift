/// What an entry of the key table names (Spec/archive.md, 4.2).
enum KeySpace: UInt8 {
  /// A key that the application chose.
  case user = 0
  /// A key that Keepsake defines.
  case reserved = 1
  /// A scope that other entries are declared in.
  case scope = 2
  /// A case of an enumeration.
  case enumerationCase = 3
}
