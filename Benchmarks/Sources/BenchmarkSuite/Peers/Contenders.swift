import BenchmarkHarness
import Foundation
import KeepsakeArchive
import KeepsakeCodable
import KeepsakeDocuments
import SwiftProtobuf

#if Peers
  import CZstandard
#endif

/// All subjects that encode and decode one workload; each is checked to return the values it was given.
@MainActor
struct Contenders<Value: Codable & Equatable> {
  let workload: BenchmarkIdentity.Workload
  /// The number of elements, if it varies.
  let size: Int?
  let items: Int
  let value: Fixture<Value>
  /// The bytes of the values alone, without keys or framing.
  let payloadBytes: (Value) -> Int

  init(
    _ workload: BenchmarkIdentity.Workload, size: Int? = nil, items: Int,
    value: @escaping () throws -> Value, payloadBytes: @escaping (Value) -> Int
  ) {
    self.workload = workload
    self.size = size
    self.items = items
    self.value = Fixture(value)
    self.payloadBytes = payloadBytes
  }

  func identity(
    _ operation: BenchmarkIdentity.Operation, _ subject: Subject, variant: String? = nil
  ) -> BenchmarkIdentity {
    BenchmarkIdentity(.archive, workload, operation, subject, variant: variant, size: size)
  }

  /// Encodes and decodes the values themselves with one subject.
  func roundTrip<Encoded: ContiguousBytes>(
    _ subject: Subject, variant: String? = nil, remark: String? = nil,
    count: @escaping (Encoded) -> Int, encode: @escaping (Value) throws -> Encoded,
    decode: @escaping (Encoded) throws -> Value
  ) -> [Benchmark] {
    roundTrip(
      subject, variant: variant, remark: remark, model: { $0 }, value: { $0 }, count: count,
      encode: encode, decode: decode)
  }

  /// Encodes and decodes with one subject that has its own model for the values.
  ///
  /// An app would store that model, so the conversion is not timed.
  func roundTrip<Model, Encoded: ContiguousBytes>(
    _ subject: Subject, variant: String? = nil, remark: String? = nil,
    model: @escaping (Value) -> Model, value backToValue: @escaping (Model) -> Value,
    count: @escaping (Encoded) -> Int, encode: @escaping (Model) throws -> Encoded,
    decode: @escaping (Encoded) throws -> Model
  ) -> [Benchmark] {
    let encoding = Benchmark(
      identity(.encode, subject, variant: variant), items: items, remark: remark
    ) {
      let value = try value.value()
      let input = model(value)
      let encoded = try encode(input)
      var prepared = PreparedBenchmark(
        bytesIn: payloadBytes(value), bytesOut: count(encoded)
      ) { iterations in
        for _ in 0..<iterations { consume(try encode(input)) }
      }
      #if Peers
        prepared.compressedBytes = compressedByteCount(of: encoded)
      #endif
      return prepared
    }
    let decoding = Benchmark(
      identity(.decode, subject, variant: variant), items: items, remark: remark
    ) {
      let value = try value.value()
      let encoded = try encode(model(value))
      try check(
        backToValue(try decode(encoded)) == value, "what was decoded is not what was encoded.")
      return PreparedBenchmark(
        bytesIn: count(encoded), bytesOut: payloadBytes(value)
      ) { iterations in
        for _ in 0..<iterations { consume(try decode(encoded)) }
      }
    }
    return [encoding, decoding]
  }

  /// Code by hand for the same archive, which must write it byte for byte before anything is timed.
  func byHand<Model>(
    model: @escaping (Value) -> Model, value backToValue: @escaping (Model) -> Value,
    archive: @escaping (Model) throws -> [UInt8], encode: @escaping (Model) throws -> [UInt8],
    decode: @escaping ([UInt8]) throws -> Model
  ) -> [Benchmark] {
    roundTrip(
      .hard, remark: "the same bytes", model: model, value: backToValue, count: \.count,
      encode: encode, decode: decode
    ).map { benchmark in
      var checked = benchmark
      checked.prepare = {
        let input = model(try value.value())
        try check(
          try encode(input) == archive(input),
          "the code by hand does not write the archive's bytes.")
        return try await benchmark.prepare()
      }
      return checked
    }
  }

  func keepsake(
    variant: String? = nil, remark: String? = nil, encode: @escaping (Value) throws -> [UInt8],
    decode: @escaping ([UInt8]) throws -> Value
  ) -> [Benchmark] {
    roundTrip(
      .keepsake, variant: variant, remark: remark, count: \.count, encode: encode, decode: decode)
  }

  /// The encoders that take any `Codable` type.
  func codable() -> [Benchmark] {
    let remark = "no identity, no lazy reading"
    let binary = PropertyListEncoder()
    binary.outputFormat = .binary
    return roundTrip(
      .keepsakeCodable, remark: remark, count: \.count,
      encode: { try ArchiveEncoder().encode($0) },
      decode: { try ArchiveDecoder().decode(Value.self, from: $0) })
      + roundTrip(
        .json, remark: remark, count: \.count, encode: { try JSONEncoder().encode($0) },
        decode: { try JSONDecoder().decode(Value.self, from: $0) })
      + roundTrip(
        .plist, remark: remark, count: \.count, encode: { try binary.encode($0) },
        decode: { try PropertyListDecoder().decode(Value.self, from: $0) })
  }

  /// A copy of the archive's bytes into memory obtained the same way: the lower limit of every encoder.
  func copies(of archive: @escaping (Value) throws -> [UInt8]) -> [Benchmark] {
    [BenchmarkIdentity.Operation.encode, .decode].map { operation in
      Benchmark(identity(operation, .memcpy), items: items, remark: "the limit") {
        let bytes = try archive(value.value())
        return PreparedBenchmark(bytesIn: bytes.count, bytesOut: bytes.count) { iterations in
          for _ in 0..<iterations { consume(copy(of: bytes)) }
        }
      }
    }
  }
}

extension Contenders {
  /// Reads a few fields of each element, from bytes to a sum that is checked.
  func lazyRead<Encoded: Collection, Sum: Equatable>(
    _ subject: Subject, variant: String? = nil, remark: String? = nil,
    encode: @escaping (Value) throws -> Encoded, expected: @escaping (Value) -> Sum,
    sum: @escaping (Encoded) throws -> Sum
  ) -> Benchmark {
    Benchmark(identity(.read, subject, variant: variant), items: items, remark: remark) {
      let value = try value.value()
      let encoded = try encode(value)
      try check(
        try sum(encoded) == expected(value), "the fields that were read are not the right ones.")
      return PreparedBenchmark(bytesIn: encoded.count) { iterations in
        for _ in 0..<iterations { consume(try sum(encoded)) }
      }
    }
  }

  /// Does any work on the bytes of an archive.
  func onArchive(
    _ operation: BenchmarkIdentity.Operation, _ subject: Subject = .keepsake,
    remark: String? = nil, archive: @escaping (Value) throws -> [UInt8],
    _ body: @escaping (_ bytes: [UInt8], _ iterations: Int) throws -> Void
  ) -> Benchmark {
    Benchmark(identity(operation, subject), items: items, remark: remark) {
      let bytes = try archive(value.value())
      return PreparedBenchmark(bytesIn: bytes.count) { iterations in
        try body(bytes, iterations)
      }
    }
  }

  /// Opens an archive and checks every byte of it, compared with a copy of its bytes.
  func verification(of archive: @escaping (Value) throws -> [UInt8]) -> [Benchmark] {
    [
      onArchive(.verify, archive: archive) { bytes, iterations in
        for _ in 0..<iterations {
          try Archive(bytes).verify()
          consume(bytes)
        }
      },
      onArchive(.verify, .memcpy, remark: "the limit", archive: archive) { bytes, iterations in
        for _ in 0..<iterations { consume(copy(of: bytes)) }
      },
    ]
  }

  /// Opens an archive.
  func opening(of archive: @escaping (Value) throws -> [UInt8]) -> Benchmark {
    Benchmark(identity(.open, .keepsake)) {
      let bytes = try archive(value.value())
      return PreparedBenchmark { iterations in
        for _ in 0..<iterations { consume(try Archive(bytes).objectCount) }
      }
    }
  }
}

/// A value of the program's own type that is converted to a protobuf message and back.
///
/// An app has its own types, so the conversion is part of saving them, and is measured.
protocol MessageConvertible {
  associatedtype Message: SwiftProtobuf.Message

  var message: Message { get }
  init(_ message: Message)
}

extension Contenders where Value: MessageConvertible {
  /// Generated code, with the conversion from and to the program's own types.
  func protobuf() -> [Benchmark] {
    roundTrip(
      .protobuf, remark: "no identity, no lazy reading; generated code", count: \[UInt8].count,
      encode: { try $0.message.serializedBytes() },
      decode: { Value(try Value.Message(serializedBytes: $0)) })
  }
}

#if Peers
  /// The length of bytes after zstd at its usual level.
  private func compressedByteCount(of bytes: some ContiguousBytes) -> Int {
    unsafe bytes.withUnsafeBytes { source in
      let room = ZSTD_compressBound(source.count)
      return unsafe withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { target in
        unsafe ZSTD_compress(target.baseAddress, room, source.baseAddress, source.count, 3)
      }
    }
  }
#endif

/// A new array with the same bytes.
@inline(never)
func copy(of bytes: [UInt8]) -> [UInt8] {
  unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { target, count in
    unsafe bytes.withUnsafeBytes { source in
      unsafe UnsafeMutableRawBufferPointer(target).copyMemory(from: source)
    }
    count = bytes.count
  }
}
