import KeepsakeArchive

/// The names in the dictionaries of a property list.
///
/// Each name is stored once, and dictionaries refer to names by number, since a file has far more dictionaries than
/// names.
struct PropertyListNames {
  private var names: [String] = []
  private var numbers: [ArchiveKey: UInt32] = [:]
  /// The number of the last dictionary that has a name; the index is the number of the name.
  private var lastDictionaries: [Int] = []
  private var dictionaryCount = 0

  subscript(number: UInt32) -> String { names[Int(number)] }

  /// All numbers, in the order in which the names were added.
  var allNumbers: Range<UInt32> { 0..<UInt32(clamping: names.count) }

  /// The number of a name; adds the name if it is new.
  mutating func add(_ name: String) -> UInt32 {
    let key = ArchiveKey(name)
    if let number = numbers[key] { return number }
    // A file with 4,294,967,296 names is longer than any that is read.
    let number = UInt32(clamping: names.count)
    numbers[key] = number
    names.append(name)
    lastDictionaries.append(0)
    return number
  }

  /// The number of a name; nil if it is not in the list.
  func number(of name: String) -> UInt32? { numbers[ArchiveKey(name)] }

  /// The error text for a dictionary in which a name occurs twice; nil when all names are unique.
  mutating func repetition(in members: ArraySlice<PropertyListNode.Member>) -> String? {
    dictionaryCount += 1
    for member in members {
      let number = Int(member.name)
      guard lastDictionaries[number] != dictionaryCount else {
        return "the name \"\(names[number].shortened)\" is there twice in a dictionary"
      }
      lastDictionaries[number] = dictionaryCount
    }
    return nil
  }

  /// The rank of each name among all names, sorted by `precedes`; the index is the number of the name.
  func places(by precedes: (String, String) -> Bool) -> [UInt32] {
    var places = [UInt32](repeating: 0, count: names.count)
    let sorted = names.indices.sorted { precedes(names[$0], names[$1]) }
    for (place, number) in sorted.enumerated() { places[number] = UInt32(clamping: place) }
    return places
  }
}
