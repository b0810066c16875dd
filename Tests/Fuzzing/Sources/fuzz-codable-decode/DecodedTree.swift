internal import Foundation

/// A value that contains values of its own type, in every container that `Codable` synthesises.
struct DecodedTree: Codable, Equatable {
  var flag: Bool?
  var small: Int8?
  var short: UInt16?
  var word: Int32?
  var long: UInt64?
  var number: Int?
  var wide: Int128?
  var unsignedWide: UInt128?
  var ratio: DecodedNumber<Double>?
  var single: DecodedNumber<Float>?
  var text: String?
  var date: DecodedDate?
  var identifier: UUID?
  var link: URL?
  var data: Data?
  var numbers: [Int16]?
  var bytes: [UInt8]?
  var names: [String?]?
  var matrix: [[DecodedNumber<Float>?]]?
  var marks: Set<String>?
  var children: [DecodedTree] = []
  var named: [String: DecodedTree]?
  var numbered: [Int: DecodedTree?]?
  var suited: [DecodedSuit: [Int]]?
  var paired: [DecodedRank: DecodedTree]?
  var choice: DecodedChoice?
  var animal: DecodedDog?
  var row: DecodedRow?
  var anything: DecodedValue?
}

/// A number for which all NaNs are equal.
struct DecodedNumber<Number: BinaryFloatingPoint & Codable & Sendable>: Codable, Equatable {
  var number: Number

  init(_ number: Number) { self.number = number }

  init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(Number.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }

  static func == (left: DecodedNumber, right: DecodedNumber) -> Bool {
    left.number == right.number
      ? left.number.sign == right.number.sign
      : left.number != left.number && right.number != right.number
  }
}

/// A date whose seconds may be NaN.
struct DecodedDate: Codable, Equatable {
  var date: Date

  init(_ date: Date) { self.date = date }

  init(from decoder: any Decoder) throws {
    date = try decoder.singleValueContainer().decode(Date.self)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(date)
  }

  static func == (left: DecodedDate, right: DecodedDate) -> Bool {
    DecodedNumber(left.date.timeIntervalSinceReferenceDate)
      == DecodedNumber(right.date.timeIntervalSinceReferenceDate)
  }
}

/// Dictionary keys that become keys of a record.
enum DecodedSuit: String, Codable, CodingKeyRepresentable {
  case clubs, hearts, spades
}

/// Dictionary keys that are stored in an array, each before its value.
enum DecodedRank: Int, Codable {
  case ace = 1, two, three
}

/// Cases with values, with the compiler's synthesised decoding.
indirect enum DecodedChoice: Codable, Equatable {
  case none
  case pair(DecodedTree, second: Int?)
  case nested(DecodedChoice)
}
