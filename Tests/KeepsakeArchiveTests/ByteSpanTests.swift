import Testing

@testable import KeepsakeArchive

@Suite struct `Bytes of a span` {
  private func isSame(_ bytes: [UInt8], _ length: Int, at first: Int, and second: Int) -> Bool {
    bytes.span.hasSameBytes(length, at: first, and: second)
  }

  private func integer(_ bytes: [UInt8], at offset: Int, _ length: Int) -> UInt64 {
    bytes.span.bigEndianInteger(at: offset, byteCount: length)
  }

  @Test func `Two parts are the same if all their bytes are, at any offset and length`() {
    var bytes = [UInt8](repeating: 7, count: 40)
    for index in 20..<40 { bytes[index] = UInt8(index) }
    for index in 0..<20 { bytes[index] = UInt8(index + 20) }
    for length in 0...20 {
      #expect(isSame(bytes, length, at: 0, and: 20))
      #expect(isSame(bytes, length, at: 40 - length, and: 20 - length))
    }
    for changed in 0..<20 {
      var other = bytes
      other[changed] ^= 0x80
      for length in 0...20 {
        #expect(isSame(other, length, at: 20, and: 0) == (length <= changed))
      }
    }
    #expect(!isSame(bytes, 21, at: 0, and: 20))
    #expect(!isSame(bytes, 1, at: -1, and: 0))
    #expect(!isSame(bytes, -1, at: 0, and: 0))
    #expect(!isSame(bytes, .max, at: 1, and: 2))
  }

  @Test func `An integer of up to eight bytes begins with its highest byte`() {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    for offset in 0...9 {
      for length in 0...min(8, 9 - offset) {
        let expected = bytes[offset..<offset + length].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        #expect(integer(bytes, at: offset, length) == expected)
      }
    }
  }
}
