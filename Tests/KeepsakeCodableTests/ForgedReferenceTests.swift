import KeepsakeArchive
import KeepsakeCodable
import TestSupport
import Testing

/// References take one to four bytes in an array, and the tag of the array does not say how many.
@Suite struct `References in forged arrays` {
  /// An archive of 233 bytes that a fuzzer made: its last array has references of one byte, right before its end.
  private static let archive = bytes(
    ofHexadecimal: [
      "894b53410d0a1a0a0100000000000000000000004b53457a2400000001000000020000000100001266660901",
      "01000500034265610004436c656f0a2e02047200000080697451010206000000020000000300000001000000",
      "5d00000000046e616d6500096f6666737072696e6700056272656564000573757065720006747269636b7300",
      "0576616c756500000007436f6461626c65000002002e0000006e100000000003002e23000066000000764000",
      "0001000100665000000000000014000000000000000100000024000000020000004b53546401000000010000",
      "00010000004800000000000000",
    ].joined())

  private enum Key: String, CodingKey, CaseIterable {
    case name, offspring, breed, `super`, tricks, value
  }

  /// Reads each key in many ways, and continues after each failure.
  private struct Reader: Decodable {
    var readCount = 0

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      try read(container)
      for key in Key.allCases {
        if let nested = try? container.nestedContainer(keyedBy: Key.self, forKey: key) {
          try read(nested)
        }
      }
    }

    private mutating func read(_ container: KeyedDecodingContainer<Key>) throws {
      for key in Key.allCases {
        try read([Int].self, key, container)
        try read([UInt8].self, key, container)
        try read([Bool].self, key, container)
        try read([Double].self, key, container)
        try read([Int?].self, key, container)
        try read([String].self, key, container)
        try read([String: Int].self, key, container)
        try read(Set<Int>.self, key, container)
        guard var elements = try? container.nestedUnkeyedContainer(forKey: key) else { continue }
        while !elements.isAtEnd {
          let index = elements.currentIndex
          _ = try? elements.decode(Int.self)
          if elements.currentIndex == index { _ = try? elements.decode(Bool.self) }
          if elements.currentIndex == index { _ = try? elements.decode(Double.self) }
          if elements.currentIndex == index { break }
          readCount += 1
        }
      }
    }

    private mutating func read<Value: Decodable & Collection>(
      _ type: Value.Type, _ key: Key, _ container: KeyedDecodingContainer<Key>
    ) throws {
      if let value = try? container.decode(type, forKey: key) { readCount += value.count }
    }
  }

  @Test func `No reference is read as a number, and none is read beyond its array`() throws {
    let reader = try? ArchiveDecoder().decode(Reader.self, from: Self.archive)
    #expect(reader?.readCount ?? 0 == 0)
  }
}
