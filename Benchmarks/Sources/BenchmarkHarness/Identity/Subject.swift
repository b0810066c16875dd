/// The library or program that does the work of a row.
package struct Subject: RawRepresentable, Hashable, Codable, Sendable {
  package var rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The keyed protocol, the seal, the store or the engine of Keepsake.
  package static let keepsake = Subject(rawValue: "keepsake")
  /// `ArchiveEncoder` and `ArchiveDecoder`.
  package static let keepsakeCodable = Subject(rawValue: "keepsake-codable")
  /// Code written by hand for the layout of one workload.
  package static let hard = Subject(rawValue: "hard")
  package static let json = Subject(rawValue: "json")
  package static let plist = Subject(rawValue: "plist")
  package static let nsKeyedArchiver = Subject(rawValue: "nskeyedarchiver")
  package static let protobuf = Subject(rawValue: "protobuf")
  package static let fory = Subject(rawValue: "fory")
  /// msgpack-c and libcbor: formats without a schema.
  package static let messagePack = Subject(rawValue: "msgpack")
  package static let cbor = Subject(rawValue: "cbor")
  /// FlatBuffers' C++.
  package static let flatBuffers = Subject(rawValue: "flatbuffers")
  /// SQLite through GRDB.
  package static let grdb = Subject(rawValue: "grdb")
  /// SQLCipher in the version that the system has.
  package static let sqlcipher = Subject(rawValue: "sqlcipher")
  package static let swiftCrypto = Subject(rawValue: "swift-crypto")
  /// A copy of the result's bytes into memory obtained the same way.
  package static let memcpy = Subject(rawValue: "memcpy")
  package static let libsodium = Subject(rawValue: "libsodium")
  package static let age = Subject(rawValue: "age")
  package static let jq = Subject(rawValue: "jq")
  /// `python3 -m json.tool`.
  package static let python = Subject(rawValue: "python")
  package static let plistutil = Subject(rawValue: "plistutil")
  /// The system calls of a protocol and nothing else.
  package static let systemCalls = Subject(rawValue: "syscalls")

  /// The name in charts, as readers know it.
  package var chartName: String {
    switch self {
    case .keepsakeCodable: "keepsake, Codable"
    case .hard: "code by hand"
    case .json: "JSON"
    case .plist: "property list"
    case .nsKeyedArchiver: "NSKeyedArchiver"
    case .fory: "Apache Fory"
    case .messagePack: "MessagePack"
    case .cbor: "CBOR"
    case .flatBuffers: "FlatBuffers"
    case .grdb: "GRDB"
    case .sqlcipher: "SQLCipher"
    case .systemCalls: "system calls"
    default: rawValue
    }
  }

  /// True when a change of the row is a change of Keepsake.
  package var isOurs: Bool { rawValue.hasPrefix("keepsake") }

  /// True when the row is a lower limit for every format, and not a rival.
  package var isLimit: Bool { [.memcpy, .libsodium, .systemCalls].contains(self) }
}
