#if Peers
  import BenchmarkHarness
  import Foundation
  import GRDB

  /// The log in a table of SQLite with a column for each value, as an app with GRDB stores it.
  ///
  /// Committed data survives a power cut: the database has a write-ahead log with `synchronous` at `FULL`.
  final class Database {
    private let directory: ScratchDirectory
    private let queue: DatabasePool

    private static let columns = [
      "x0", "x1", "x2", "x3", "identity", "userid", "date", "request", "code", "size",
    ]
    private static let insertion =
      "INSERT INTO log (id, \(columns.joined(separator: ", "))) VALUES (?\(String(repeating: ", ?", count: columns.count)))"

    init(_ records: [LogRecord]) throws {
      directory = try ScratchDirectory()
      queue = try .durable(at: directory.file("log.sqlite"))
      try queue.write { database in
        try database.execute(
          sql: "CREATE TABLE log (id INTEGER PRIMARY KEY, \(Self.columns.joined(separator: ", ")))")
      }
      try replace(by: records)
    }

    /// Replaces all rows in one transaction.
    func replace(by records: [LogRecord]) throws {
      try queue.write { database in
        try database.execute(sql: "DELETE FROM log")
        let statement = try database.cachedStatement(sql: Self.insertion)
        for (index, record) in records.enumerated() {
          let address = record.address
          try statement.execute(arguments: [
            index + 1, address.x0, address.x1, address.x2, address.x3, record.identity,
            record.userid, record.date, record.request, record.code, Int64(clamping: record.size),
          ])
        }
      }
    }

    /// Changes one row in a separate transaction.
    func setSize(_ size: UInt64, ofRecord number: Int) throws {
      try queue.write { database in
        let statement = try database.cachedStatement(sql: "UPDATE log SET size = ? WHERE id = ?")
        try statement.execute(arguments: [Int64(clamping: size), number])
      }
    }

    /// All rows, as the program's own values.
    func records() throws -> [LogRecord] {
      try queue.read { database in
        let statement = try database.cachedStatement(sql: "SELECT * FROM log ORDER BY id")
        return try Row.fetchAll(statement).map { row in
          LogRecord(
            address: .init(x0: row[1], x1: row[2], x2: row[3], x3: row[4]), identity: row[5],
            userid: row[6], date: row[7], request: row[8], code: row[9],
            size: UInt64(row[10] as Int64))
        }
      }
    }

    /// The size of one record, from a database that is opened for it.
    func sizeAfterOpening(ofRecord number: Int) throws -> UInt64 {
      let database = try DatabaseQueue(path: directory.file("log.sqlite"))
      let size = try database.read {
        try Int64.fetchOne($0, sql: "SELECT size FROM log WHERE id = ?", arguments: [number])
      }
      guard let size else { throw CheckFailure(description: "Record \(number) is not there.") }
      return UInt64(size)
    }
  }

  extension DatabasePool {
    /// A pool with a write-ahead log, whose commits wait for the disk.
    static func durable(at path: String) throws -> DatabasePool {
      let pool = try DatabasePool(path: path)
      // A pool sets NORMAL when it opens, and then a commit does not wait for the disk.
      try pool.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA synchronous = FULL")
        try check(
          try Int.fetchOne(database, sql: "PRAGMA synchronous") == 2,
          "SQLite does not wait for the disk.")
      }
      return pool
    }
  }

  extension Database {
    /// Saves and loads the state of `store`, whose records have about 8 KiB.
    @MainActor static func state(size: Int, variant: String) -> [Benchmark] {
      func identity(
        _ operation: BenchmarkIdentity.Operation, _ variant: String
      ) -> BenchmarkIdentity {
        BenchmarkIdentity(.store, .state, operation, .grdb, variant: variant, size: size)
      }
      let remark = "durable, not encrypted"
      return [
        Benchmark(identity(.save, variant), remark: remark) {
          let records = try HomeMadeState.records().logs
          let database = try Database(records)
          return PreparedBenchmark { iterations in
            for _ in 0..<iterations { try database.replace(by: records) }
          }
        },
        Benchmark(identity(.save, "one row"), remark: remark) {
          let records = try HomeMadeState.records().logs
          let database = try Database(records)
          var size: UInt64 = 0
          return PreparedBenchmark { iterations in
            for _ in 0..<iterations {
              size += 1
              try database.setSize(size, ofRecord: 1 + Int(size) % records.count)
            }
          }
        },
        Benchmark(identity(.load, variant), remark: "opened before, not encrypted") {
          let records = try HomeMadeState.records().logs
          let database = try Database(records)
          try check(try database.records() == records, "the state is another one.")
          return PreparedBenchmark { iterations in
            for _ in 0..<iterations { consume(try database.records()) }
          }
        },
      ]
    }

    /// Reads one value of one record anywhere in the table, opening included.
    @MainActor static func randomAccess(_ count: Int) -> Benchmark {
      let identity = BenchmarkIdentity(.archive, .log, .random, .grdb, size: count)
      return Benchmark(identity, remark: "a file; opening included", measuresMemory: false) {
        let records = try LogSuite.contenders(count).value.value().logs
        let database = try Database(records)
        var random = PermutedCongruentialGenerator.published
        return PreparedBenchmark { iterations in
          for _ in 0..<iterations {
            let number = Int(random.next64(below: UInt64(count)))
            let size = try database.sizeAfterOpening(ofRecord: number + 1)
            try check(size == records[number].size, "record \(number) is another one.")
            consume(size)
          }
        }
      }
    }
  }
#endif
