import Foundation
import TestSupport
import Testing

@testable import Keepsake

/// A value that changes entry by entry.
struct Ledger: Codable, Equatable, Sendable {
  var name = "first"
  var sums: [String: Int] = [:]
  /// True when the ledger cannot be encoded.
  var isBroken = false

  enum CodingKeys: CodingKey { case name, sums }

  init(name: String = "first", sums: [String: Int] = [:]) {
    self.name = name
    self.sums = sums
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    sums = try container.decode([String: Int].self, forKey: .sums)
  }

  func encode(to encoder: any Encoder) throws {
    guard !isBroken else {
      throw EncodingError.invalidValue(
        self, EncodingError.Context(codingPath: [], debugDescription: "it is broken"))
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(sums, forKey: .sums)
  }
}

enum LedgerChange: Codable, Sendable {
  case add(Int, to: String)
  case rename(String)
  case setBroken(Bool)

  static let apply: @Sendable (inout Ledger, LedgerChange) -> Void = { ledger, change in
    switch change {
    case .add(let amount, let name): ledger.sums[name, default: 0] += amount
    case .rename(let name): ledger.name = name
    case .setBroken(let isBroken): ledger.isBroken = isBroken
    }
  }
}

typealias JournaledLedger = JournaledValue<Ledger, LedgerChange>

/// A journaled value in a directory of its own.
struct LedgerFixture {
  let folder: String
  let key: SealKey
  var path: String { folder + "/ledger" }
  var snapshot: String { path + "/snapshot" }

  static func with<Result>(_ body: (LedgerFixture) throws -> Result) throws -> Result {
    try withTemporaryDirectory { folder in
      let key = try SealKey(copying: [UInt8](repeating: 7, count: 32).span)
      return try body(LedgerFixture(folder: folder, key: key))
    }
  }

  static func with<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (LedgerFixture) async throws -> Result
  ) async throws -> Result {
    try await withTemporaryDirectory { folder in
      let key = try SealKey(copying: [UInt8](repeating: 7, count: 32).span)
      return try await body(LedgerFixture(folder: folder, key: key))
    }
  }

  /// Another instance, as another process would have it.
  func open(
    _ directory: String? = nil, default ledger: Ledger = Ledger(),
    migrations: [ValueMigration] = [], compactionSize: Int? = nil
  ) -> JournaledLedger {
    JournaledLedger(
      path: directory ?? path, key: .key(key), default: ledger, migrations: migrations,
      patience: .milliseconds(10), compactionSize: compactionSize, apply: LedgerChange.apply)
  }

  /// The numbers of the journal's files.
  func files() throws -> [String] { try names(in: path).filter { $0.hasSuffix(".journal") } }

  func file(_ number: Int) -> String { path + "/000000000\(number).journal" }

  /// A copy of the directory, as a process that is killed now leaves it.
  func copy(to name: String) throws -> String {
    let copy = folder + "/" + name
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for name in try names(in: path) where !name.hasSuffix("lock") {
      try write(try contents(of: path + "/" + name), to: copy + "/" + name)
    }
    return copy
  }
}

/// The error of a call; nil when it returns.
func keepsakeError<Result>(_ body: () throws(KeepsakeError) -> Result) -> KeepsakeError? {
  do throws(KeepsakeError) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
