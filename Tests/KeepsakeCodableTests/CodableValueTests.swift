import KeepsakeCodable
import Testing

@Suite struct `Codable values` {
  struct Scalars: Codable, Equatable {
    var bool = true
    var text = "é 👋"
    var empty = ""
    var int = Int.min
    var int8 = Int8.min
    var int16 = Int16.max
    var int32 = Int32.min
    var int64 = Int64.max
    var uint = UInt.max
    var uint8 = UInt8.max
    var uint16 = UInt16.max
    var uint32 = UInt32.max
    var uint64 = UInt64.max
    var float = -Float.zero
    var double = Double.leastNonzeroMagnitude
  }

  enum Shape: Codable, Equatable {
    case point
    case circle(radius: Double)
    case named(String, sides: Int)
  }

  struct Tree: Codable, Equatable {
    var name: String
    var children: [Tree]
  }

  @Test func `All scalars are read back at their extremes`() throws {
    #expect(try roundTrip(Scalars()) == Scalars())
  }

  @Test func `The sign of zero and the bits of a NaN are read back`() throws {
    let patterns = [UInt64(1) << 63, 0x7FF8_0000_0000_1234, 0xFFF0_0000_0000_0000, 1]
    let doubles = patterns.map { Double(bitPattern: $0) }
    #expect(try roundTrip(doubles).map(\.bitPattern) == patterns)
  }

  @Test func `A top-level value may be a scalar, an array or nil`() throws {
    #expect(try roundTrip(7) == 7)
    #expect(try roundTrip("seven") == "seven")
    #expect(try roundTrip([1, 2, 3]) == [1, 2, 3])
    #expect(try roundTrip([Int]()) == [])
    #expect(try roundTrip(Int?.none) == nil)
    #expect(try roundTrip(Int?.some(1)) == 1)
  }

  @Test func `Optionals are read back among values and under keys`() throws {
    #expect(try roundTrip([1, nil, 3]) == [1, nil, 3])
    #expect(try roundTrip(Box<Int?>(value: nil)) == Box<Int?>(value: nil))
    #expect(try roundTrip(Box<[String?]?>(value: ["a", nil])) == Box(value: ["a", nil]))
  }

  @Test func `Enumerations with payloads are read back`() throws {
    let shapes: [Shape] = [.point, .circle(radius: 2), .named("hexagon", sides: 6)]
    #expect(try roundTrip(shapes) == shapes)
  }

  @Test func `Dictionaries are read back whatever their keys are`() throws {
    #expect(try roundTrip(["a": 1, "": 2]) == ["a": 1, "": 2])
    #expect(try roundTrip([1: "a", -2: "b"]) == [1: "a", -2: "b"])
    #expect(try roundTrip([2.5: "a"]) == [2.5: "a"])
    #expect(try roundTrip(Set(["a", "b"])) == ["a", "b"])
  }

  @Test func `Keys that reserved values use are ordinary keys`() throws {
    let dictionary = ["bundleVersion": "1", "$class": "2", "super": "3"]
    #expect(try roundTrip(dictionary) == dictionary)
  }

  @Test func `Recursive value types are read back`() throws {
    let leaf = Tree(name: "leaf", children: [])
    let tree = Tree(name: "root", children: [leaf, Tree(name: "branch", children: [leaf])])
    #expect(try roundTrip(tree) == tree)
  }

  // Holds.
  @Test func `Equal dictionaries give equal bytes however they were filled`() throws {
    let names = (0..<100).map { "key \($0)" }
    // Each inner dictionary has other keys, so that the order of the outer one would show.
    var forward: [String: [String: Int]] = [:]
    var backward: [String: [String: Int]] = Dictionary(minimumCapacity: 4096)
    for name in names { forward[name] = [name: name.count] }
    for name in names.reversed() { backward[name] = [name: name.count] }
    #expect(Array(forward.keys) != Array(backward.keys))
    #expect(try ArchiveEncoder().encode(forward) == ArchiveEncoder().encode(backward))
  }

  @Test func `Keys that differ only in their Unicode form are different keys`() throws {
    struct Accents: Codable, Equatable {
      var composed = 1
      var decomposed = 2
      enum CodingKeys: String, CodingKey {
        case composed = "\u{E9}"
        case decomposed = "e\u{301}"
      }
    }
    #expect(try roundTrip(Accents()) == Accents())
  }
}
