/// A `Codable` type that has a value for each key which an older archive lacks.
///
/// ```swift
/// struct Track: Codable, ValueWithDefaults {
///   var title = ""
///   var stars = 3  // The first version had no stars.
///
///   static var defaults: Track { Track() }
/// }
/// ```
///
/// ``ArchiveDecoder`` takes the value of a missing key from the defaults, at any depth inside a value of the type. That
/// value may be an element of an array, a value of a dictionary, or an optional. An optional property stays nil when
/// its key is absent. A type may try one key and then another: a default is used only if decoding would otherwise fail
/// because the key is missing.
public protocol ValueWithDefaults: Codable {
  /// A value whose properties are used for absent keys.
  static var defaults: Self { get }
}
