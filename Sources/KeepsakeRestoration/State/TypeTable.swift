import KeepsakeArchive

/// The properties of an object's type, as a save or a restore needs them.
struct ObjectType {
  let type: any RestorableObject.Type
  /// The stable name, as in the archive.
  let name: String
  let requiresSuperclassCall: Bool
  /// True when the name is the same in every process.
  let isStable: Bool
}

/// The types of the objects of one save or restore; the static properties of each type are read once.
struct TypeTable {
  private(set) var types: [ObjectType] = []
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var last = (type: ObjectIdentifier(Never.self), number: 0)

  subscript(number: Int) -> ObjectType { types[number] }

  func isStable(_ number: Int) -> Bool { types[number].isStable }

  /// Whether overrides of a type's base class have to call `super`.
  func requiresSuperclassCall(_ number: Int) -> Bool { types[number].requiresSuperclassCall }

  @MainActor
  mutating func number(of type: any RestorableObject.Type) -> Int {
    let identifier = ObjectIdentifier(type)
    // The objects of one type usually follow each other.
    if identifier == last.type { return last.number }
    let number = numbers[identifier] ?? types.count
    if number == types.count {
      let name = type.restorationTypeName
      types.append(
        ObjectType(
          type: type, name: name, requiresSuperclassCall: type.requiresSuperclassCall,
          isStable: StableName.isStable(name)))
      numbers[identifier] = number
    }
    last = (identifier, number)
    return number
  }
}

/// Distinct names with numbers, for names that many rows share.
struct NameTable: Sendable {
  private(set) var names: [String] = []
  private var numbers: [NameKey: Int] = [:]
  private var last: (name: String, number: Int)?

  mutating func number(of name: String) -> Int {
    if let last, last.name.hasSameBytes(as: name) { return last.number }
    let number = numbers[NameKey(name)] ?? names.count
    if number == names.count {
      names.append(name)
      numbers[NameKey(name)] = number
    }
    last = (name, number)
    return number
  }
}
