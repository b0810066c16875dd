import BenchmarkHarness
import Foundation

/// Foundation's keyed archive, with secure coding as its documentation recommends.
enum KeyedArchiver {
  static func encode(_ root: any NSObject & NSSecureCoding) throws -> Data {
    try NSKeyedArchiver.archivedData(withRootObject: root, requiringSecureCoding: true)
  }

  /// Reads a root of one class whose objects are of these classes.
  static func decode<Root: NSObject & NSSecureCoding>(
    _ type: Root.Type, of classes: [AnyClass], from data: Data
  ) throws -> Root {
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.requiresSecureCoding = true
    let root = unarchiver.decodeObject(
      of: [type] + classes, forKey: NSKeyedArchiveRootObjectKey)
    guard let typed = root as? Root else {
      throw CheckFailure(description: "NSKeyedUnarchiver brought no \(type) back.")
    }
    return typed
  }
}
