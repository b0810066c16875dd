import KeepsakeArchive
import KeepsakeDocuments

/// A class of a keyed archive, as the objects of the class refer to it.
struct KeyedClass {
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
  /// The shapes of the objects that were read last; most classes have one.
  private(set) var shapes: [RecordShape] = []
  private static let shapeLimit = 8

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

  mutating func add(_ shape: RecordShape) -> Int {
    if shapes.count == Self.shapeLimit { shapes.removeAll(keepingCapacity: true) }
    shapes.append(shape)
    keys.formUnion(shape.keys)
    return shapes.count - 1
  }

  /// Counts an object of a shape, in which the fields at some indices are references.
  mutating func addObject(ofShape index: Int, references: [Int]) {
    objectCount += 1
    for field in references where !shapes[index].hasReference[field] {
      shapes[index].hasReference[field] = true
      referenceKeys.insert(shapes[index].keys[field])
    }
  }
}
