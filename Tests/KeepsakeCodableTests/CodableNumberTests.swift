import FoundationEssentials
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import TestSupport
import Testing

/// Spec/archive.md, 4.4 and 5.5: numbers are aligned and ends are as narrow as possible, in whatever order a type
/// writes its keys.
@Suite struct `Numbers of Codable values` {
  /// Arrays of numbers with a text between them, and more samples inside.
  final class Sample: Codable, Equatable {
    var bytes: [UInt8]
    var doubles: [Double]
    var floats: [Float]
    var longs: [Int64]
    var shorts: [Int16]
    var text: String
    var wide: [Int128]
    var inner: [Sample?]
    /// The number of the order in which the keys are written.
    var order: Int

    enum CodingKeys: String, CodingKey, CaseIterable {
      case bytes, doubles, floats, inner, longs, order, shorts, text, wide
    }

    init(_ number: Int, order: Int, depth: Int) {
      // Some of the arrays are long enough to be aligned.
      let range = 0..<1 + number % 4 * 30
      bytes = range.map { UInt8($0) }
      doubles = range.map { Double($0) / 3 }
      floats = range.map { Float($0) / 3 }
      longs = range.map { Int64(-number - $0) }
      shorts = range.map { Int16(number % 9000 + $0) }
      text = String(repeating: "t", count: number)
      wide = range.map { Int128($0) << 70 }
      inner =
        depth == 0
        ? []
        : (0..<3).map { index in
          index == number % 5 ? nil : Sample(number / 2, order: order + index, depth: depth - 1)
        }
      self.order = order
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      // A permutation, since 9 and the step have no factor in common.
      let step = [1, 2, 4, 5, 7, 8][order % 6]
      for index in 0..<9 {
        let key = CodingKeys.allCases[(index * step + order) % 9]
        switch key {
        case .bytes: try container.encode(bytes, forKey: key)
        case .doubles: try container.encode(doubles, forKey: key)
        case .floats: try container.encode(floats, forKey: key)
        case .longs: try container.encode(longs, forKey: key)
        case .shorts: try container.encode(shorts, forKey: key)
        case .text: try container.encode(text, forKey: key)
        case .wide: try container.encode(wide, forKey: key)
        case .inner: try container.encode(inner, forKey: key)
        case .order: try container.encode(0, forKey: key)
        }
      }
    }

    static func == (left: Sample, right: Sample) -> Bool {
      left.bytes == right.bytes && left.doubles == right.doubles && left.floats == right.floats
        && left.longs == right.longs && left.shorts == right.shorts && left.text == right.text
        && left.wide == right.wide && left.inner == right.inner
    }
  }

  static let lengths = [0, 1, 3, 90, 254, 255, 256, 257, 400, 65_400, 65_535, 65_536, 140_000]

  @Test(arguments: lengths)
  func `The bytes are the same in every order of keys`(length: Int) throws {
    let expected = try ArchiveEncoder().encode(Sample(length, order: 0, depth: 2))
    for order in 1..<54 {
      let sample = Sample(length, order: order, depth: 2)
      let encoded = try ArchiveEncoder().encode(sample)
      let isSame = encoded == expected
      #expect(isSame, "order \(order)")
      #expect(try ArchiveDecoder().decode(Sample.self, from: encoded) == sample)
    }
    try Archive(Array(expected)).requireCanonical()
  }

  @Test func `The bytes do not depend on earlier values`() throws {
    let samples = Self.lengths.flatMap { one in
      Self.lengths.filter { $0 < 1000 }.enumerated().flatMap { order, other in
        [Sample(one % 1000, order: order, depth: 1), Sample(other, order: order * 7, depth: 0)]
      }
    }
    let encoded = try ArchiveEncoder().encode(samples)
    let archive = try Archive(Array(encoded))
    try archive.requireCanonical()
    #expect(try ArchiveDecoder().decode([Sample].self, from: encoded) == samples)
    // The dynamic view writes the same values one after the other.
    #expect(Data(try ArchiveDocument(archive).encoded(order: .stored)) == encoded)
  }

  /// In each value one thing moves the numbers.
  ///
  /// The values are so long that nothing else moves them.
  private func moved(_ count: Int) -> [ModelValue] {
    let bytes = ModelValue.data(Array(repeating: 1, count: 70_000 + count))
    let empty = ModelValue.record([("a", .numbers([])), ("b", bytes)])
    return [
      // The slots of a record take more room than was reserved.
      .record([("a", .numbers([1, 2])), ("b", bytes), ("c", .bool(true))]),
      // The keys have another order, in a record that fits the reserved room.
      .row([empty, .record([("b", bytes), ("a", .numbers([1, 2]))])]),
      // An element of an array is after the array's ends.
      .row([.numbers((0..<9000 + count).map { Double($0) })]),
      // A nil and another kind after numbers.
      .row([.numbers([1, 2]), bytes, .null]), .row([.numbers([1]), .null, .numbers([2]), bytes]),
    ]
  }

  @Test(arguments: 0..<8)
  func `Numbers are aligned whatever moves them`(count: Int) throws {
    for (index, value) in moved(count).enumerated() {
      let encoded = Array(try ArchiveEncoder().encode(value))
      try Archive(encoded).requireCanonical()
      var writer = ArchiveWriter()
      try writer.writeObject(ArchiveObjectID(1), typeName: "Codable") { coder in
        coder.encode(value.archived, forKey: "value")
      }
      let isSame = try writer.finish(root: ArchiveObjectID(1)) == encoded
      #expect(isSame, "value \(index)")
    }
  }

  @Test func `Numbers are lent at the top and in nested records`() throws {
    for order in 0..<54 {
      let sample = Sample(order * 11, order: order, depth: 2)
      let archive = try Archive(Array(ArchiveEncoder().encode(sample)))
      let lent = try archive.object(archive.rootID).decode(LentSample.self, forKey: "value")
      #expect(lent == LentSample(sample))
    }
  }
}

/// The numbers of a record, read through spans.
private struct LentSample: ArchiveRecord, Equatable {
  var doubles: [Double] = []
  var floats: [Float] = []
  var longs: [Int64] = []
  var shorts: [Int16] = []
  var inner: [LentSample?] = []

  init(_ sample: `Numbers of Codable values`.Sample) {
    (doubles, floats) = (sample.doubles, sample.floats)
    (longs, shorts) = (sample.longs, sample.shorts)
    inner = sample.inner.map { $0.map(LentSample.init) }
  }

  func encode(to coder: inout ObjectEncoder) {}

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let doubles = try coder.borrowedNumbers(of: Double.self, forKey: "doubles")
    for index in doubles.indices { self.doubles.append(doubles[index]) }
    let floats = try coder.borrowedNumbers(of: Float.self, forKey: "floats")
    for index in floats.indices { self.floats.append(floats[index]) }
    let longs = try coder.borrowedNumbers(of: Int64.self, forKey: "longs")
    for index in longs.indices { self.longs.append(longs[index]) }
    let shorts = try coder.borrowedNumbers(of: Int16.self, forKey: "shorts")
    for index in shorts.indices { self.shorts.append(shorts[index]) }
    inner = try coder.decode(forKey: "inner")
  }
}
