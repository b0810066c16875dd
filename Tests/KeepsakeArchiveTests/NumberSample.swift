import KeepsakeArchive
import KeepsakeDocuments
import TestSupport

/// Arrays of numbers of every width; reading borrows them.
struct NumberSample: ArchiveRecord, Hashable {
  static let archiveTypeName = "Numbers"

  var bytes: [UInt8] = []
  var small: [Int8] = []
  var shorts: [Int16] = []
  var unsignedShorts: [UInt16] = []
  var words: [Int32] = []
  var unsignedWords: [UInt32] = []
  var longs: [Int64] = []
  var unsignedLongs: [UInt64] = []
  var floats: [Float] = []
  var doubles: [Double] = []
  var dates: [ArchiveDate] = []
  var wide: [Int128] = []
  var unsignedWide: [UInt128] = []
  var halves: [DynamicValue] = []

  /// A number decides the lengths and the contents; some arrays are long enough to be aligned.
  init(_ number: Int) {
    func count(_ kind: Int) -> Int { 1 + (number + kind) % 4 * 23 }
    bytes = (0..<count(0)).map { UInt8(truncatingIfNeeded: number + $0) }
    small = (0..<count(1)).map { Int8(truncatingIfNeeded: -number + $0) }
    shorts = (0..<count(2)).map { Int16(truncatingIfNeeded: -300 * number + $0) }
    unsignedShorts = (0..<count(3)).map { UInt16(truncatingIfNeeded: 300 * number + $0) }
    words = (0..<count(1)).map { Int32(-70_000 * (number + $0)) }
    unsignedWords = (0..<count(0)).map { UInt32(70_000 * (number + $0)) }
    longs = (0..<count(3)).map { -1 << 40 + Int64(number + $0) }
    unsignedLongs = (0..<count(2)).map { 1 << 60 + UInt64(number + $0) }
    floats = (0..<count(0)).map { Float(number) / 3 + Float($0) }
    doubles = (0..<count(2)).map { Double(number) / 7 + Double($0) }
    dates = (0..<count(1)).map { ArchiveDate(secondsSinceReferenceDate: Double(number - $0) / 3) }
    wide = (0..<count(3)).map { -1 << 100 + Int128(number + $0) }
    unsignedWide = (0..<count(1)).map { 1 << 90 + UInt128(number + $0) }
    halves = (0..<count(2)).map { .float16(bitPattern: UInt16(0x3C00 + number % 256 + $0)) }
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(bytes, forKey: "bytes")
    coder.encode(doubles, forKey: "doubles")
    coder.encode(small, forKey: "small")
    coder.encode(words, forKey: "words")
    coder.encode(shorts, forKey: "shorts")
    coder.encode(longs, forKey: "longs")
    coder.encode(DynamicValue.array(halves), forKey: "halves")
    coder.encode(dates, forKey: "dates")
    coder.encode(unsignedShorts, forKey: "unsignedShorts")
    coder.encode(wide, forKey: "wide")
    coder.encode(floats, forKey: "floats")
    coder.encode(unsignedLongs, forKey: "unsignedLongs")
    coder.encode(unsignedWords, forKey: "unsignedWords")
    coder.encode(unsignedWide, forKey: "unsignedWide")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    bytes = try lent(coder, "bytes")
    small = try lent(coder, "small")
    shorts = try lent(coder, "shorts")
    unsignedShorts = try lent(coder, "unsignedShorts")
    words = try lent(coder, "words")
    unsignedWords = try lent(coder, "unsignedWords")
    longs = try lent(coder, "longs")
    unsignedLongs = try lent(coder, "unsignedLongs")
    floats = try lent(coder, "floats")
    doubles = try lent(coder, "doubles")
    dates = try coder.decode(forKey: "dates")
    wide = try coder.decode(forKey: "wide")
    unsignedWide = try coder.decode(forKey: "unsignedWide")
    guard case .array(let halves) = try coder.decode(DynamicValue.self, forKey: "halves") else {
      throw ArchiveError(.typeMismatch, "no array is stored")
    }
    self.halves = Array(halves)
  }
}

/// The numbers of an array, read through a span; a span that is not aligned ends the process.
func lent<Number: ArchiveScalar & Equatable>(
  _ coder: borrowing ObjectDecoder, _ key: ArchiveKey
) throws(ArchiveError) -> [Number] {
  let span = try coder.borrowedNumbers(of: Number.self, forKey: key)
  var numbers: [Number] = []
  for index in span.indices { numbers.append(span[index]) }
  guard numbers == (try coder.decode([Number].self, forKey: key)) else {
    throw ArchiveError(.damaged, "the lent numbers differ from the copied ones")
  }
  return numbers
}

/// A case with numbers.
enum NumberCase: ArchiveEnumeration, Hashable {
  case none
  case some(NumberSample, text: String)

  var archiveCase: ArchiveKey {
    switch self {
    case .none: "none"
    case .some: "some"
    }
  }

  func encode(to coder: inout ObjectEncoder) {
    if case .some(let numbers, let text) = self {
      coder.encode(text, forKey: "text")
      coder.encode(numbers, forKey: "numbers")
    }
  }

  init(archiveCase: ArchiveKey, from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    if archiveCase == "none" {
      self = .none
    } else {
      self = .some(
        try coder.decode(forKey: "numbers"), text: try coder.decode(forKey: "text"))
    }
  }
}
