import Testing

@testable import KeepsakeArchive

@Suite struct `An index of rows by their hashes` {
  /// Hashes that often collide, so that rows are stored after the place of their hash.
  private static func hash(_ row: Int) -> Int { row % 7 &* 31 &+ row % 3 << 32 }

  @Test func `The index finds each row that it has, and no row that was removed`() {
    var index = HashIndex()
    var rows: Set<Int> = []
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<4000 {
      let row = Int.random(in: 0..<200, using: &generator)
      if rows.remove(row) != nil {
        index.remove(row, Self.hash(row))
      } else {
        rows.insert(row)
        index.add(row, Self.hash(row))
      }
      #expect(index.isEmpty == rows.isEmpty)
      let sample = Int.random(in: 0..<200, using: &generator)
      #expect((index.number(Self.hash(sample)) { $0 == sample } != nil) == rows.contains(sample))
    }
    for row in 0..<200 {
      #expect((index.number(Self.hash(row)) { $0 == row } != nil) == rows.contains(row))
    }
  }

  @Test func `The index compares only rows that have the hash`() {
    var index = HashIndex()
    for row in 0..<100 { index.add(row, row << 8) }
    var compared: [Int] = []
    let found = index.number(5 << 8) { row in
      compared.append(row)
      return false
    }
    #expect(found == nil)
    #expect(compared == [5])
    index.remove(100, 5 << 8)
    #expect(index.number(5 << 8) { $0 == 5 } == 5)
  }
}
