import BenchmarkHarness
import CPeers
import CSodiumPeer
import Foundation
import Keepsake
import SwiftProtobuf

extension Contenders where Value: MessageConvertible {
  /// Saves and loads the values as a sealed file, end to end: encodes, encrypts and durably replaces the old
  /// file, and back.
  ///
  /// The nearest rival does the same by hand: its own bytes, one call of libsodium, and the system calls of a
  /// durable replacement.
  func sealed(
    encode: @escaping (Value) throws -> [UInt8], decode: @escaping ([UInt8]) throws -> Value
  ) -> [Benchmark] {
    let remark = "protobuf, one call of libsodium, a durable replacement; no parts, one key"
    return [
      sealed(.save, .keepsake, "encoded, sealed and durable") { value in
        let (directory, key) = (try ScratchDirectory(), try SealKey.generate())
        return { iterations in
          for _ in 0..<iterations {
            let bytes = try encode(value)
            try SealedFile.seal(bytes.span, to: directory.file("value"), for: [.key(key)])
          }
        }
      },
      sealed(.save, .protobuf, remark) { value in
        let file = try BoxedFile()
        return { iterations in
          for _ in 0..<iterations { try file.save(value.message.serializedBytes()) }
        }
      },
      sealed(.load, .keepsake, nil) { value in
        let (directory, key) = (try ScratchDirectory(), try SealKey.generate())
        let path = directory.file("value")
        let bytes = try encode(value)
        try SealedFile.seal(bytes.span, to: path, for: [.key(key)])
        let load = { try decode(SealedFile.open(path, with: [.key(key)]).read()) }
        try check(try load() == value, "what was loaded is not what was saved.")
        return { iterations in
          for _ in 0..<iterations { consume(try load()) }
          consume(directory)
        }
      },
      sealed(.load, .protobuf, remark) { value in
        let file = try BoxedFile()
        try file.save(value.message.serializedBytes())
        let load = { Value(try Value.Message(serializedBytes: file.load())) }
        try check(try load() == value, "what was loaded is not what was saved.")
        return { iterations in
          for _ in 0..<iterations { consume(try load()) }
        }
      },
    ].withoutMemory
  }

  private func sealed(
    _ operation: BenchmarkIdentity.Operation, _ subject: Subject, _ remark: String?,
    _ prepare: @escaping @MainActor (Value) throws -> (_ iterations: Int) throws -> Void
  ) -> Benchmark {
    let identity = BenchmarkIdentity(.store, workload, operation, subject, size: size)
    return Benchmark(identity, items: items, remark: remark) {
      PreparedBenchmark(try prepare(value.value()))
    }
  }
}

/// A file that contains one box of libsodium, replaced durably.
private final class BoxedFile {
  private let directory: ScratchDirectory
  private let key = [UInt8](repeating: 7, count: 32)
  private static let (nonceByteCount, tagByteCount) = (24, 16)

  init() throws {
    try check(sodium_init() >= 0, "libsodium does not start.")
    directory = try ScratchDirectory()
  }

  func save(_ plain: [UInt8]) throws {
    var nonce = [UInt8](repeating: 0, count: Self.nonceByteCount)
    unsafe randombytes_buf(&nonce, nonce.count)
    var box = [UInt8](repeating: 0, count: plain.count + Self.tagByteCount)
    _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
      &box, nil, plain, UInt64(plain.count), nil, 0, nil, nonce, key)
    let sealed = nonce + box
    try check(
      unsafe keepsake_peer_replace_durably(directory.path, "value", sealed, sealed.count) != 0,
      "a system call failed.")
  }

  func load() throws -> [UInt8] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: directory.file("value"))))
    let head = Self.nonceByteCount + Self.tagByteCount
    try check(bytes.count >= head, "the file is too short.")
    var plain = [UInt8](repeating: 0, count: bytes.count - head)
    let result = unsafe bytes.withUnsafeBufferPointer { source in
      guard let nonce = source.baseAddress else { return CInt(-1) }
      return unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
        &plain, nil, nil, nonce.advanced(by: Self.nonceByteCount),
        UInt64(source.count - Self.nonceByteCount), nil, 0, nonce, key)
    }
    try check(result == 0, "the file is damaged.")
    return plain
  }
}
