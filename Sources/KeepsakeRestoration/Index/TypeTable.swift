/// The types of the objects of one save or restore, each asked once for what it says of itself.
struct TypeTable {
  private(set) var names: [String] = []
  private(set) var requirements: [Bool] = []
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var last = (type: ObjectIdentifier(Never.self), number: 0)

  /// The number of an object's type.
  @MainActor
  mutating func number(of participant: borrowing Participant) -> Int {
    number(of: participant.type)
  }

  /// The number of an object's type.
  @MainActor
  mutating func number(of object: any RestorableObject) -> Int { number(of: type(of: object)) }

  @MainActor
  private mutating func number(of type: any RestorableObject.Type) -> Int {
    let identifier = ObjectIdentifier(type)
    if identifier == last.type { return last.number }
    let number: Int
    if let known = numbers[identifier] {
      number = known
    } else {
      number = names.count
      names.append(type.restorationTypeName)
      requirements.append(type.requiresSuperclassCall)
      numbers[identifier] = number
    }
    last = (identifier, number)
    return number
  }
}

/// What a save has to know of the type of an object that it writes.
struct SavedType {
  var number = -1
  var name = ""
  var requiresSuperclassCall = false
}

/// Distinct strings with numbers: names that many rows share.
struct NameTable {
  private(set) var names: [String] = []
  private var numbers: [String: Int] = [:]
  private var last = 0

  /// The number of a name.
  mutating func number(of name: String) -> Int {
    if last < names.count, names[last] == name { return last }
    if let known = numbers[name] {
      last = known
    } else {
      last = names.count
      names.append(name)
      numbers[name] = last
    }
    return last
  }
}
