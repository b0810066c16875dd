import KeepsakeArchive
import KeepsakeDocuments

/// A class of a keyed archive, as the objects of the class refer to it.
struct KeyedClass {
  /// The meaning of a class of Foundation.
  enum Meaning {
    case array, set, orderedSet, dictionary
    case string, attributedString, data, date, uuid, url, number, null, value
  }

  let name: String
  let typeName: String
  /// The type that the records of all objects share.
  let type: DynamicType?
  let superclasses: [String]
  /// The meaning of the class itself, and not of a superclass: a subclass may have keys of its own.
  let meaning: Meaning?
  private(set) var objectCount = 0
  /// The numbers of the keys that at least one object has.
  private(set) var keys: Set<UInt32> = []
  /// The numbers of the keys that have a reference in at least one object.
  private(set) var referenceKeys: Set<UInt32> = []
  /// The keys of the object that was read last, which most others have too.
  private var lastKeys: [ObjectKey] = []

  /// A key of an object.
  struct ObjectKey: Equatable {
    let number: UInt32
    let hasReference: Bool
  }

  init(name: String, typeName: String, chain: [String]) {
    (self.name, self.typeName) = (name, typeName)
    type = DynamicType(typeName, 0)
    superclasses = Array(chain.first == name ? chain.dropFirst() : chain[...])
    meaning = Self.meanings[name]
  }

  private static let meanings: [String: Meaning] = [
    "NSArray": .array, "NSMutableArray": .array,
    "NSSet": .set, "NSMutableSet": .set,
    "NSOrderedSet": .orderedSet, "NSMutableOrderedSet": .orderedSet,
    "NSDictionary": .dictionary, "NSMutableDictionary": .dictionary,
    "NSString": .string, "NSMutableString": .string,
    "NSAttributedString": .attributedString, "NSMutableAttributedString": .attributedString,
    "NSData": .data, "NSMutableData": .data,
    "NSDate": .date, "NSUUID": .uuid, "NSURL": .url, "NSNumber": .number, "NSNull": .null,
    "NSValue": .value,
  ]

  /// Counts an object and notes its keys.
  mutating func add(_ objectKeys: [ObjectKey]) {
    objectCount += 1
    if objectKeys == lastKeys { return }
    for key in objectKeys {
      keys.insert(key.number)
      if key.hasReference { referenceKeys.insert(key.number) }
    }
    lastKeys = objectKeys
  }
}
