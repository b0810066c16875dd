/// The digests in the names of exchanges: the first 8 bytes of BLAKE2b with 32 bytes of output and no key (RFC 7693).
///
/// It is written here, so that this module needs no other library: each process that works in a directory has to
/// find the same digests, with libsodium or without. A digest distinguishes files, and no secret depends on it.
enum NameDigest {
  /// The number of bytes of the digest in a name.
  static let length = 8

  private static let blockLength = 128
  private static let outputLength: UInt64 = 32
  private static let initialState: [UInt64] = [
    0x6a09_e667_f3bc_c908, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f, 0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179,
  ]
  /// The message word that each step of a round uses; rounds 10 and 11 repeat the first two rows.
  private static let schedule: [[Int]] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
  ]
  /// The four columns of the working state, then its four diagonals.
  private static let lanes = [
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
  ]

  /// The digest of a message, the first byte first.
  static func digest(of message: [UInt8]) -> [UInt8] {
    var state = initialState
    state[0] ^= 0x0101_0000 ^ outputLength
    var start = 0
    // The last block is the one with the last byte; an empty message has an empty block.
    repeat {
      let end = min(start + blockLength, message.count)
      compress(&state, message[start..<end], through: end, isLast: end == message.count)
      start = end
    } while start < message.count
    return (0..<length).map { UInt8(truncatingIfNeeded: state[0] >> (8 * $0)) }
  }

  private static func compress(
    _ state: inout [UInt64], _ block: ArraySlice<UInt8>, through count: Int, isLast: Bool
  ) {
    var words = [UInt64](repeating: 0, count: 16)
    for (index, byte) in block.enumerated() {
      words[index / 8] |= UInt64(byte) << (8 * (index % 8))
    }
    var work = state + initialState
    work[12] ^= UInt64(count)
    if isLast { work[14] = ~work[14] }
    for round in 0..<12 {
      let order = schedule[round % schedule.count]
      for (step, (a, b, c, d)) in lanes.enumerated() {
        work[a] = work[a] &+ work[b] &+ words[order[2 * step]]
        work[d] = rotated(work[d] ^ work[a], 32)
        work[c] = work[c] &+ work[d]
        work[b] = rotated(work[b] ^ work[c], 24)
        work[a] = work[a] &+ work[b] &+ words[order[2 * step + 1]]
        work[d] = rotated(work[d] ^ work[a], 16)
        work[c] = work[c] &+ work[d]
        work[b] = rotated(work[b] ^ work[c], 63)
      }
    }
    for index in 0..<8 { state[index] ^= work[index] ^ work[index + 8] }
  }

  private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 {
    word >> bits | word << (64 - bits)
  }
}
