// Integers of 128 bits. The protocols of containers name them, and what they do by themselves is to
// refuse them: so a property of such a type needs these. All lead to the methods for any type, where
// the kinds of the archive are known.

extension KeyedArchiveContainer {
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try decodeAny(key) }
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try decodeAny(key) }

  private func decodeAny<Decoded: Decodable>(_ key: Key) throws -> Decoded {
    try decode(Decoded.self, forKey: key)
  }
}

extension UnkeyedArchiveContainer {
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try decodeAny() }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeAny() }

  private mutating func decodeAny<Decoded: Decodable>() throws -> Decoded {
    try decode(Decoded.self)
  }
}

extension SingleValueArchiveContainer {
  func decode(_ type: Int128.Type) throws -> Int128 { try decodeAny() }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try decodeAny() }

  private func decodeAny<Decoded: Decodable>() throws -> Decoded { try decode(Decoded.self) }
}
