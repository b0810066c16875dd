import BenchmarkHarness
import CSodiumPeer
import SwiftProtobuf

/// The recorded facts of a workload, which reveal a change of its generator.
struct WorkloadFacts {
  /// The size of its values as a protobuf message, maps in the order of their keys.
  var byteCount: Int
  /// The SHA-256 of those bytes.
  var hash: String

  /// Checks that a workload has these facts.
  ///
  /// - Throws: `CheckFailure` with the facts of the workload that was made.
  func verify(_ workload: some MessageConvertible) throws {
    var options = BinaryEncodingOptions()
    options.useDeterministicOrdering = true
    let bytes: [UInt8] = try workload.message.serializedBytes(options: options)
    let hash = Digest.sha256(bytes)
    try check(
      bytes.count == byteCount && hash == self.hash,
      "\(type(of: workload)) is not what it was: \(bytes.count) bytes as protobuf, SHA-256 \(hash)."
    )
  }
}

/// Hashes that identify a published workload.
enum Digest {
  /// SHA-256 in lower-case hexadecimal digits.
  static func sha256(_ bytes: [UInt8]) -> String {
    var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    _ = unsafe crypto_hash_sha256(&hash, bytes, UInt64(bytes.count))
    return hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
