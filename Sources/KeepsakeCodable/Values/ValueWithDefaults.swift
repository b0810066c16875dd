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
/// ``ArchiveDecoder`` takes what a stored value of the type lacks from its defaults, at any depth in it, wherever
/// the value is: an element of an array, a value of a dictionary, or an optional. An optional property stays nil
/// where its key is absent. A type that tries one key and, where it is absent, another one is not held up: a default
/// counts only if decoding would fail for lack of the key.
public protocol ValueWithDefaults: Codable {
  /// A value whose properties are taken for keys that are absent.
  static var defaults: Self { get }
}
