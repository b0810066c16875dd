/// Values of different types in one array, with nested containers that are opened by hand.
struct DecodedRow: Codable, Equatable {
  var isEmpty = false
  var number: Int64 = 0
  var names: [String] = []
  var point: [String: Double] = [:]
  var rest: [DecodedRow?] = []

  private enum PointKeys: CodingKey {
    case x, y, outer
  }

  init() {}

  init(from decoder: any Decoder) throws {
    var row = try decoder.unkeyedContainer()
    let count = row.count
    isEmpty = try row.decodeNil()
    if isEmpty {
      precondition(row.currentIndex == 1)
    } else {
      precondition(row.currentIndex == 0)
      number = try row.decode(Int64.self)
    }
    var names = try row.nestedUnkeyedContainer()
    while !names.isAtEnd { self.names.append(try names.decode(String.self)) }
    precondition(names.count == self.names.count)
    let point = try row.nestedContainer(keyedBy: PointKeys.self)
    for key in point.allKeys where key != .outer {
      precondition(point.contains(key))
      let number = try point.decodeIfPresent(DecodedNumber<Double>.self, forKey: key)?.number
      if let number, number == number { self.point[key.stringValue] = number }
    }
    let outer = try point.superDecoder(forKey: .outer)
    precondition(outer.codingPath.count == decoder.codingPath.count + 2)
    var index = 3
    while !row.isAtEnd {
      precondition(row.currentIndex == index)
      rest.append(try row.decodeIfPresent(DecodedRow.self))
      index += 1
    }
    precondition(count == index)
  }

  func encode(to encoder: any Encoder) throws {
    var row = encoder.unkeyedContainer()
    if isEmpty { try row.encodeNil() } else { try row.encode(number) }
    // This container is filled last, although it was opened first.
    var names = row.nestedUnkeyedContainer()
    var point = row.nestedContainer(keyedBy: PointKeys.self)
    for (name, number) in self.point {
      if let key = PointKeys(stringValue: name) { try point.encode(number, forKey: key) }
    }
    for name in self.names { try names.encode(name) }
    for other in rest { if let other { try row.encode(other) } else { try row.encodeNil() } }
  }
}
