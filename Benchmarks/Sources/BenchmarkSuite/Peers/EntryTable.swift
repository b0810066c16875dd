#if Peers
  import BenchmarkHarness
  import Foundation
  import GRDB

  /// Entries in a table of SQLite, each in a transaction that survives a power cut.
  final class EntryTable {
    private let directory: ScratchDirectory
    private let queue: DatabasePool

    init() throws {
      directory = try ScratchDirectory()
      queue = try .durable(at: directory.file("entries.sqlite"))
      try queue.write { database in
        try database.execute(sql: "CREATE TABLE entry (number INTEGER PRIMARY KEY, content BLOB)")
      }
    }

    func append(_ content: Data) throws {
      try queue.write { database in
        let statement = try database.cachedStatement(
          sql: "INSERT INTO entry (content) VALUES (?)")
        try statement.execute(arguments: [content])
      }
    }
  }
#endif
