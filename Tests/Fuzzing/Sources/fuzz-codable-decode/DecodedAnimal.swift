/// A base class; each subclass has a separate encoder for its superclass.
class DecodedAnimal: Codable, Equatable {
  var name: String
  var offspring: [DecodedAnimal]

  init(name: String, offspring: [DecodedAnimal] = []) {
    self.name = name
    self.offspring = offspring
  }

  private enum CodingKeys: CodingKey {
    case name, offspring
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    // Decodes the first class that the stored value can be read as.
    var others = try container.nestedUnkeyedContainer(forKey: .offspring)
    offspring = []
    while !others.isAtEnd {
      let index = others.currentIndex
      if let dog = try? others.decode(DecodedDog.self) {
        offspring.append(dog)
      } else {
        precondition(others.currentIndex == index)
        offspring.append(try others.decode(DecodedAnimal.self))
      }
      precondition(others.currentIndex == index + 1)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(offspring, forKey: .offspring)
  }

  func isEqual(to other: DecodedAnimal) -> Bool {
    type(of: self) == type(of: other) && name == other.name && offspring == other.offspring
  }

  static func == (left: DecodedAnimal, right: DecodedAnimal) -> Bool { left.isEqual(to: right) }
}

class DecodedDog: DecodedAnimal {
  var breed: String?
  var tricks: [String: Int]

  init(name: String, breed: String?, tricks: [String: Int], offspring: [DecodedAnimal] = []) {
    self.breed = breed
    self.tricks = tricks
    super.init(name: name, offspring: offspring)
  }

  private enum CodingKeys: CodingKey {
    case breed, tricks
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    breed = try container.decodeIfPresent(String.self, forKey: .breed)
    tricks = try container.decode([String: Int].self, forKey: .tricks)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(breed, forKey: .breed)
    try container.encode(tricks, forKey: .tricks)
    try super.encode(to: container.superEncoder())
  }

  override func isEqual(to other: DecodedAnimal) -> Bool {
    guard let dog = other as? DecodedDog else { return false }
    return super.isEqual(to: dog) && breed == dog.breed && tricks == dog.tricks
  }
}

/// A class whose superclass is encoded in an array, with a key of its own.
final class DecodedPuppy: DecodedDog {
  var weeks: UInt8

  init(name: String, weeks: UInt8) {
    self.weeks = weeks
    super.init(name: name, breed: nil, tricks: [:])
  }

  private enum CodingKeys: CodingKey {
    case parts
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    var parts = try container.nestedUnkeyedContainer(forKey: .parts)
    weeks = try parts.decode(UInt8.self)
    try super.init(from: parts.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    var parts = container.nestedUnkeyedContainer(forKey: .parts)
    try parts.encode(weeks)
    try super.encode(to: parts.superEncoder())
  }

  override func isEqual(to other: DecodedAnimal) -> Bool {
    super.isEqual(to: other) && weeks == (other as? DecodedPuppy)?.weeks
  }
}
