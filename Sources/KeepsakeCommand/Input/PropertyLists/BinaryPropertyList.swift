import CommandSupport
import Keepsake

/// A property list of the binary form: objects that name each other by number, found through a table of offsets.
///
/// Objects are read one at a time, each within the bytes before the table. Several objects may name the same one, so
/// a small file can describe an endless value. Therefore ``value()`` counts the values that it makes.
struct BinaryPropertyList {
  static let signature = Array("bplist".utf8)
  private static let trailerByteCount = 32

  /// An object, as it is stored.
  enum Object {
    case value(DynamicValue)
    /// A number by which an archive of `NSKeyedArchiver` refers to another object.
    case identifier(UInt64)
    case array([Int])
    case dictionary(names: [Int], values: [Int])
  }

  private let bytes: [UInt8]
  private let source: String
  private let offsetByteCount: Int
  private let referenceByteCount: Int
  private let objectCount: Int
  private let top: Int
  /// The position at which the objects end and the table of offsets begins.
  private let table: Int

  /// Reads the last bytes, which say where everything else is.
  init(_ bytes: [UInt8], from source: String) throws(Failure) {
    (self.bytes, self.source) = (bytes, source)
    let trailer = bytes.count - Self.trailerByteCount
    guard trailer >= Self.signature.count + 2 else {
      throw Self.failure(source, "it ends too early", "(byte \(bytes.count))")
    }
    offsetByteCount = Int(bytes[trailer + 6])
    referenceByteCount = Int(bytes[trailer + 7])
    let counts = [8, 16, 24].map { Int(exactly: bytes.integer(at: trailer + $0, 8)) }
    guard (1...8).contains(offsetByteCount), (1...8).contains(referenceByteCount),
      let objectCount = counts[0], let top = counts[1], let table = counts[2],
      table >= Self.signature.count + 2, table <= trailer, top < objectCount,
      objectCount <= (trailer - table) / offsetByteCount
    else {
      throw Self.failure(
        source, "its last bytes name objects that are not in it", "(byte \(trailer))")
    }
    (self.objectCount, self.top, self.table) = (objectCount, top, table)
  }

  /// Reads one object, but not the objects that it names.
  func object(_ number: Int) throws(Failure) -> Object {
    guard number >= 0, number < objectCount,
      let offset = Int(
        exactly: bytes.integer(at: table + number * offsetByteCount, offsetByteCount)),
      offset >= Self.signature.count + 2, offset < table
    else {
      throw Self.failure(
        source, "an object is named that is not in it", "(object \(number))")
    }
    let marker = bytes[offset]
    let low = Int(marker & 0x0F)
    switch marker {
    case 0x00: return .value(.null)
    case 0x08, 0x09: return .value(.bool(marker == 0x09))
    case 0x10...0x14:
      let content = try content(after: offset + 1, 1 << low, of: number)
      return .value(DynamicValue(wholeNumber: bytes.signedInteger(content)))
    case 0x22, 0x23:
      let bits = bytes.integer(try content(after: offset + 1, 1 << low, of: number))
      // A real number of 32 bits is widened, which is exact, so that all are of one kind.
      let real =
        low == 2
        ? Double(Float(bitPattern: UInt32(clamping: bits))) : Double(bitPattern: bits)
      return .value(.double(real))
    case 0x33:
      let bits = bytes.integer(try content(after: offset + 1, 8, of: number))
      let seconds = Double(bitPattern: bits)
      guard seconds.isFinite else { throw failure("a date does not exist", number, offset) }
      return .value(.date(ArchiveDate(secondsSinceReferenceDate: seconds)))
    case 0x40...0x4F:
      return .value(.bytes(Array(bytes[try counted(offset, of: number, width: 1)])))
    case 0x50...0x5F:
      let content = bytes[try counted(offset, of: number, width: 1)]
      guard content.allSatisfy({ $0 < 0x80 }) else {
        throw failure("a text in ASCII has other characters", number, offset)
      }
      return .value(.string(String(decoding: content, as: UTF8.self)))
    case 0x60...0x6F:
      let content = try counted(offset, of: number, width: 2)
      let units = stride(from: content.lowerBound, to: content.upperBound, by: 2).map {
        UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
      }
      guard let text = String(validating: units, as: UTF16.self) else {
        throw failure("a text has half a character", number, offset)
      }
      return .value(.string(text))
    case 0x80...0x87:
      return .identifier(bytes.integer(try content(after: offset + 1, low + 1, of: number)))
    case 0xA0...0xAF:
      return .array(numbers(try counted(offset, of: number, width: referenceByteCount)))
    case 0xD0...0xDF:
      let all = numbers(try counted(offset, of: number, width: 2 * referenceByteCount))
      let half = all.count / 2
      return .dictionary(names: Array(all[..<half]), values: Array(all[half...]))
    default:
      throw failure(
        "it has a kind of object that property lists do not have", number, offset)
    }
  }

  /// Reads the whole document, each object as often as it is named.
  func value() throws(Failure) -> DynamicValue {
    var reading = Reading(self, source, byteCount: bytes.count)
    return try reading.value(top)
  }

  fileprivate func failure(_ reason: String, _ number: Int, _ offset: Int) -> Failure {
    Self.failure(source, reason, "(object \(number), byte \(offset))")
  }

  private static func failure(_ source: String, _ reason: String, _ place: String) -> Failure {
    Failure("\(source) \(PropertyList.refusal): \(reason) \(place).", .damaged)
  }

  /// The bytes of an object that has its count in its first byte, or in an integer after it.
  private func counted(_ offset: Int, of number: Int, width: Int) throws(Failure) -> Range<Int> {
    var (count, start) = (Int(bytes[offset] & 0x0F), offset + 1)
    if count == 0x0F {
      guard start < table, (0x10...0x13).contains(bytes[start]) else {
        throw failure("it has no count", number, offset)
      }
      let stated = try content(after: start + 1, 1 << Int(bytes[start] & 0x0F), of: number)
      guard let long = Int(exactly: bytes.integer(stated)) else {
        throw failure("it is longer than the file", number, offset)
      }
      (count, start) = (long, stated.upperBound)
    }
    guard count <= (table - start) / width else {
      throw failure("it is longer than the file", number, offset)
    }
    return start..<start + count * width
  }

  private func content(after start: Int, _ count: Int, of number: Int) throws(Failure) -> Range<
    Int
  > {
    guard count <= table - start else {
      throw failure("it is longer than the file", number, start)
    }
    return start..<start + count
  }

  private func numbers(_ range: Range<Int>) -> [Int] {
    stride(from: range.lowerBound, to: range.upperBound, by: referenceByteCount).map {
      // A number that is too large for an `Int` is clamped: it names no object either.
      Int(clamping: bytes.integer(at: $0, referenceByteCount))
    }
  }

  /// The values of all objects, counted.
  private struct Reading {
    /// The cost of a value besides its bytes.
    private static let valueCost = 16

    private let list: BinaryPropertyList
    private let source: String
    /// The objects that the next one is in.
    private var outer: [Int] = []
    /// How much more there may be; a file that names no array or dictionary twice needs 16 for each byte and its
    /// texts.
    private var remaining: Int

    init(_ list: BinaryPropertyList, _ source: String, byteCount: Int) {
      (self.list, self.source) = (list, source)
      remaining = 64 * max(byteCount, 1 << 12)
    }

    mutating func value(_ number: Int) throws(Failure) -> DynamicValue {
      guard !outer.contains(number) else {
        throw failure("an object contains itself", number)
      }
      guard outer.count < JSONParser.depthLimit else {
        throw failure("it is nested too deeply", number)
      }
      switch try list.object(number) {
      case .value(let value):
        try pay(for: value, number)
        return value
      case .identifier:
        throw failure(
          "it refers to objects as archives of NSKeyedArchiver do, which are no plain values",
          number)
      case .array(let numbers):
        try pay(0, number)
        outer.append(number)
        defer { outer.removeLast() }
        var elements: [DynamicValue] = []
        for element in numbers { elements.append(try value(element)) }
        return DynamicValue(elements: elements)
      case .dictionary(let names, let values):
        try pay(0, number)
        outer.append(number)
        defer { outer.removeLast() }
        var members: [(name: String, value: DynamicValue)] = []
        for (name, member) in zip(names, values) {
          guard case .value(let stored) = try list.object(name), case .string(let text) = stored
          else {
            throw failure("a name in a dictionary is no text", name)
          }
          try pay(for: stored, name)
          members.append((text, try value(member)))
        }
        do throws(PropertyList.RepeatedName) {
          return try PropertyList.record(of: members)
        } catch {
          throw failure(error.reason, number)
        }
      }
    }

    private mutating func pay(for value: DynamicValue, _ number: Int) throws(Failure) {
      switch value {
      case .string(let text): try pay(text.utf8.count, number)
      case .bytes(let bytes): try pay(bytes.count, number)
      default: try pay(0, number)
      }
    }

    private mutating func pay(_ byteCount: Int, _ number: Int) throws(Failure) {
      remaining -= Self.valueCost + byteCount
      guard remaining >= 0 else {
        throw failure(
          "its objects are named so often that it would become many times as long as the file",
          number)
      }
    }

    private func failure(_ reason: String, _ number: Int) -> Failure {
      BinaryPropertyList.failure(source, reason, "(object \(number))")
    }
  }
}

extension [UInt8] {
  /// An integer of at most eight bytes, the highest first.
  fileprivate func integer(_ range: Range<Int>) -> UInt64 {
    self[range].reduce(0) { $0 << 8 | UInt64($1) }
  }

  fileprivate func integer(at offset: Int, _ count: Int) -> UInt64 {
    integer(offset..<offset + count)
  }

  /// An integer of up to 16 bytes, which has a sign from eight bytes on.
  fileprivate func signedInteger(_ range: Range<Int>) -> Int128 {
    let isNegative = range.count >= 8 && self[range.lowerBound] & 0x80 != 0
    return self[range].reduce(isNegative ? -1 : 0) { $0 << 8 | Int128($1) }
  }
}
