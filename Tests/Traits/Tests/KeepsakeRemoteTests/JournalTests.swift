import Foundation
import Keepsake
import Testing

@testable import KeepsakeRemote

/// A journal in a folder, and the place in the bucket to which it is uploaded.
struct UploadedJournal {
  let path: String
  let key: SealKey
  let prefix: String
  let journal: Journal<[UInt8]>

  static func with<T>(
    retention: JournalRetention = JournalRetention(), _ body: (UploadedJournal) async throws -> T
  ) async throws -> T {
    try await withFolder { folder in
      let log = try UploadedJournal(at: folder + "/log", retention: retention)
      let result = try await body(log)
      try log.journal.close()
      return result
    }
  }

  init(
    at path: String, for key: SealKey? = nil, retention: JournalRetention = JournalRetention()
  ) throws {
    self.path = path
    self.key = try key ?? SealKey.generate()
    prefix = Servers.freshKey("log")
    journal = try Journal.open(
      at: path, for: .key(self.key), as: .bytes(), options: JournalOptions(retention: retention))
  }

  /// Appends entries, durably.
  func append(_ entries: [[UInt8]]) throws { _ = try journal.append(contentsOf: entries) }

  /// Writes files that have two entries each; the last one stays open.
  func writeFiles(_ count: Int) throws {
    for _ in 0..<count {
      try journal.rotate()
      let first = try journal.count()
      try append([Self.entry(first), Self.entry(first + 1)])
    }
  }

  static func entry(_ number: UInt64) -> [UInt8] { Array("entry \(number)".utf8) }

  func uploader(
    through endpoint: String? = Servers.radosgw, writers: RemoteStateStore.Writers = .several,
    requestByteLimit: Int = 1 << 20
  ) throws -> JournalUploader {
    JournalUploader(
      journal.directory, to: try Servers.store(through: endpoint), prefix: prefix,
      writers: writers, requestByteLimit: requestByteLimit)
  }

  func object(_ number: Int) throws -> RemoteObject {
    try Servers.store().object("\(prefix)/\(name(number))")
  }

  func name(_ number: Int) -> String { String(format: "%010d.journal", number) }

  func file(_ number: Int) throws -> [UInt8] {
    try Array(Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name(number))")))
  }

  func remote(through endpoint: String? = Servers.radosgw) async throws -> RemoteJournal {
    try await RemoteJournal.open(
      in: Servers.store(through: endpoint), prefix: prefix, with: .key(key))
  }

  /// The entries that are in the store.
  func storedEntries() async throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    for try await entry in try await remote().directory.entries(as: .bytes()) {
      found.append(entry.value)
    }
    return found
  }
}

@Suite(.enabled(if: Servers.radosgw != nil)) struct `A journal in an object store` {
  @Test func `Each closed file is uploaded once and unchanged, even if a second uploader begins`()
    async throws
  {
    try await UploadedJournal.with { log in
      let uploader = try log.uploader()
      #expect(try await uploader.upload() == [])
      try log.writeFiles(3)
      #expect(try await uploader.upload() == [1, 2])
      #expect(try await uploader.upload() == [])
      for number in 1...2 {
        #expect(try await log.object(number).content() == log.file(number))
      }
      #expect(try await log.object(3).get() == nil)
      try log.writeFiles(1)
      #expect(try await log.uploader().upload() == [3])
      #expect(try await uploader.upload() == [])
      #expect(try await log.storedEntries() == (0..<6).map(UploadedJournal.entry))
    }
  }

  @Test func `An object with other bytes is named by the error, and is not overwritten`()
    async throws
  {
    try await UploadedJournal.with { log in
      // The first and the last 16 KiB of this file have no byte in common.
      try log.append([Samples.noise(of: 1, count: 40_000)])
      try log.writeFiles(2)
      // The size, the beginning and the end are compared.
      for place in ["size", "beginning", "end"] {
        var bytes = try log.file(1)
        switch place {
        case "size": bytes.removeLast()
        case "beginning": bytes[40] ^= 1
        default: bytes[bytes.count - 1] ^= 1
        }
        try await log.object(2).delete()
        try await log.object(1).put(bytes)
        let error = await remoteError { try await log.uploader().upload() }
        #expect(error?.code == .changedMeanwhile, "\(place)")
        #expect(error?.description.contains(log.name(1)) == true, "\(error?.description ?? "")")
        #expect(try await log.object(1).content() == bytes)
        #expect(try await log.object(2).get() == nil)
        // The identifier of the journal is read from the last file, which is this one.
        try await log.object(1).delete()
      }
      #expect(try await log.uploader().upload() == [1, 2])
    }
  }

  @Test
  func `Two journals that begin below one prefix at once lose no file, and one of them stops`()
    async throws
  {
    let store = try Servers.store()
    try await UploadedJournal.with { one in
      try await UploadedJournal.with { other in
        for log in [one, other] { try log.writeFiles(2) }
        for _ in 0..<5 {
          let prefix = Servers.freshKey("log")
          try store.object("\(prefix)/0").requireConditions(Cancellation())
          typealias Outcome = (log: UploadedJournal, error: RemoteError?)
          let results = await withTaskGroup(of: Outcome.self, returning: [Outcome].self) { group in
            for log in [one, other] {
              group.addTask {
                let uploader = JournalUploader(log.journal.directory, to: store, prefix: prefix)
                return (log, await remoteError { _ = try await uploader.upload() })
              }
            }
            var outcomes: [Outcome] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes
          }
          let winners = results.filter { $0.error == nil }.map(\.log)
          #expect(winners.count == 1)
          #expect(results.compactMap(\.error).allSatisfy { $0.code == .changedMeanwhile })
          let content = try await store.object("\(prefix)/\(one.name(1))").content()
          #expect(try content == winners.first?.file(1))
        }
      }
    }
  }

  @Test func `Another journal below the prefix is found before anything is uploaded`() async throws
  {
    try await UploadedJournal.with { log in
      try log.writeFiles(3)
      _ = try await log.uploader().upload()
      try await UploadedJournal.with { other in
        try other.writeFiles(5)
        let uploader = JournalUploader(
          other.journal.directory, to: try Servers.store(), prefix: log.prefix + "/")
        let error = await remoteError { try await uploader.upload() }
        #expect(error?.code == .changedMeanwhile)
        #expect(error?.description.contains(log.prefix) == true)
        #expect(try await log.object(3).get() == nil)
      }
      #expect(try await log.storedEntries() == (0..<4).map(UploadedJournal.entry))
    }
  }

  @Test func `Files that would follow those of another journal are not uploaded`() async throws {
    try await UploadedJournal.with { log in
      try log.writeFiles(3)
      #expect(try await log.uploader().upload() == [1, 2])
      try await UploadedJournal.with(retention: JournalRetention(files: 3)) { other in
        try other.writeFiles(5)
        let uploader = JournalUploader(
          other.journal.directory, to: try Servers.store(), prefix: log.prefix)
        #expect(await remoteError { try await uploader.upload() }?.code == .changedMeanwhile)
        #expect(try await log.object(3).get() == nil)
      }
    }
  }

  @Test func `A journal whose first files were removed begins in the store with a later one`()
    async throws
  {
    try await UploadedJournal.with(retention: JournalRetention(files: 3)) { log in
      try log.writeFiles(5)
      #expect(try await log.uploader().upload() == [3, 4])
      #expect(try await log.storedEntries() == (4..<8).map(UploadedJournal.entry))
      // Objects stay in the store when the local files are removed.
      try log.writeFiles(1)
      let uploader = try log.uploader()
      #expect(try await uploader.upload() == [5])
      #expect(try await log.storedEntries() == (4..<10).map(UploadedJournal.entry))
      try log.writeFiles(5)
      let error = await remoteError { try await uploader.upload() }
      #expect(error?.code == .absent && error?.description.contains("File 6 ") == true)
      #expect(try await log.storedEntries() == (4..<10).map(UploadedJournal.entry))
    }
  }

  @Test func `A new uploader uploads an object again that was deleted`() async throws {
    try await UploadedJournal.with { log in
      try log.writeFiles(4)
      let uploader = try log.uploader()
      #expect(try await uploader.upload() == [1, 2, 3])
      try await log.object(2).delete()
      #expect(try await log.uploader().upload() == [2])
      try await log.object(3).delete()
      try log.writeFiles(1)
      #expect(try await uploader.upload() == [3, 4])
      #expect(try await log.storedEntries() == (0..<8).map(UploadedJournal.entry))
    }
  }

  @Test func `A long file is uploaded in parts where only one machine writes`() async throws {
    try await UploadedJournal.with { log in
      let entry = Samples.noise(of: 3, count: 9 << 20)
      try log.append([entry])
      try log.writeFiles(1)
      let refused = await remoteError { try await log.uploader().upload() }
      #expect(refused?.code == .conditionsUnsupported)
      #expect(try await log.object(1).get() == nil)
      #expect(try await log.uploader(writers: .one).upload() == [1])
      #expect(try await log.object(1).version()?.tag.contains("-") == true)
      #expect(try await log.storedEntries() == [entry])
      // A short file is looked up and then written, without a condition.
      try log.writeFiles(1)
      #expect(try await log.uploader(writers: .one).upload() == [2])
      #expect(try await log.object(2).content() == log.file(2))
    }
  }

  @Test func `The last entries and one in the middle are read by few requests`() async throws {
    try await UploadedJournal.with { log in
      for file in 0..<3 {
        if file > 0 { try log.journal.rotate() }
        try log.append((0..<8_000).map { Samples.noise(of: 8_000 * file + $0, count: 500) })
      }
      try log.writeFiles(1)
      #expect(try await log.uploader(requestByteLimit: 16 << 20).upload() == [1, 2, 3])
      #expect(try log.file(3).count > 4_000_000)

      let journal = try await log.remote()
      let last = try await journal.perform { try $0.last(20, as: .bytes()) }
      #expect(last.map(\.number) == Array(23_980..<24_000))
      #expect(last.last?.value == Samples.noise(of: 23_999, count: 500))
      #expect(journal.traffic.requestCount <= 8, "\(journal.traffic)")
      #expect(journal.traffic.byteCount <= 512 << 10, "\(journal.traffic)")

      let other = try await log.remote()
      let middle = try await other.perform { try $0.entry(9_000, as: .bytes()) }
      #expect(middle?.value == Samples.noise(of: 9_000, count: 500))
      #expect(other.traffic.requestCount <= 8, "\(other.traffic)")
      #expect(other.traffic.byteCount <= 512 << 10, "\(other.traffic)")

      let whole = try await log.remote()
      let verdict = try await whole.perform { try $0.verify() }
      #expect(verdict?.count == 24_000)
      // Following ends, since no entries are added.
      var count = 0
      for try await _ in journal.directory.entries(as: .bytes(), from: 23_990, following: true) {
        count += 1
      }
      #expect(count == 10)
    }
  }

  @Test func `A prefix without a journal is absent, and a wrong key opens nothing`() async throws {
    try await UploadedJournal.with { log in
      let error = await remoteError { _ = try await log.remote() }
      #expect(error?.code == .absent && error?.description.contains(log.prefix) == true)
      try log.writeFiles(2)
      _ = try await log.uploader().upload()
      let journal = try await RemoteJournal.open(
        in: Servers.store(), prefix: log.prefix, with: .key(SealKey.generate()))
      let failure = await #expect(throws: JournalError.self) {
        try await journal.perform { _ = try $0.last(1, as: .bytes()) }
      }
      #expect(failure?.code == .noMatchingKey)
      let address = try log.object(1).description
      #expect(failure?.path == address)
    }
  }

  @Test func `An uploader that follows a journal uploads each file once it is closed`() async throws
  {
    try await UploadedJournal.with { log in
      let uploader = try log.uploader()
      let (uploaded, sends) = AsyncStream<[UInt64]>.makeStream()
      let task = Task {
        try await uploader.follow(every: .milliseconds(1)) { result in
          if case .success(let numbers) = result { sends.yield(numbers) }
        }
      }
      var next = uploaded.makeAsyncIterator()
      try log.writeFiles(2)
      let first = await next.next()
      #expect(first == [1])
      try log.writeFiles(1)
      let second = await next.next()
      #expect(second == [2])
      task.cancel()
      try await task.value
      #expect(try await log.storedEntries() == (0..<4).map(UploadedJournal.entry))
    }
  }
}

extension `Requests with faults` {
  @Test(arguments: ["drop", "refuse", "cut"])
  func `A file whose upload has no answer is uploaded once`(kind: String) async throws {
    try await UploadedJournal.with { log in
      try log.writeFiles(2)
      try await Proxy.set([Fault(kind: kind, method: "PUT", path: log.name(1))])
      #expect(try await log.uploader(through: Servers.proxy, writers: .several).upload() == [1])
      try await Proxy.set([])
      #expect(try await log.object(1).content() == log.file(1))
    }
  }

  @Test
  func `A file that another uploader of the journal has uploaded first is no error`() async throws {
    try await UploadedJournal.with { log in
      try log.writeFiles(2)
      let uploader = try log.uploader(through: Servers.proxy)
      try await Proxy.set([
        Fault(kind: "status", method: "PUT", path: log.name(1), status: 412, executes: true)
      ])
      #expect(try await uploader.upload() == [])
      try await Proxy.set([])
      #expect(try await log.object(1).content() == log.file(1))
      #expect(try await uploader.upload() == [])
    }
  }

  @Test func `A file that another journal uploaded after the list was made is not overwritten`()
    async throws
  {
    try await UploadedJournal.with { log in
      try log.writeFiles(2)
      let foreign: [UInt8] = [1, 2, 3]
      try await log.object(1).put(foreign)
      // The answer is a list from before that upload.
      let earlier = Fault(
        kind: "status", method: "GET", path: "list-type", status: 200,
        body: "<ListBucketResult></ListBucketResult>")
      try await Proxy.set([earlier])
      let uploader = try log.uploader(through: Servers.proxy)
      #expect(await remoteError { try await uploader.upload() }?.code == .changedMeanwhile)
      try await Proxy.set([])
      #expect(try await log.object(1).content() == foreign)
    }
  }

  @Test func `The record of removed files that another uploader wrote first is no error`()
    async throws
  {
    try await UploadedJournal.with(retention: JournalRetention(files: 3)) { log in
      try log.writeFiles(5)
      let uploader = try log.uploader(through: Servers.proxy)
      let lost = Fault(
        kind: "status", method: "PUT", path: "retention", status: 412, executes: true)
      try await Proxy.set([lost])
      #expect(try await uploader.upload() == [3, 4])
      try await Proxy.set([])
      #expect(try await log.storedEntries() == (4..<8).map(UploadedJournal.entry))
    }
    // Another record is a conflict.
    try await UploadedJournal.with(retention: JournalRetention(files: 3)) { log in
      try log.writeFiles(5)
      let uploader = try log.uploader(through: Servers.proxy)
      let refused = Fault(kind: "status", method: "PUT", path: "retention", status: 412)
      try await Proxy.set([refused])
      #expect(await remoteError { try await uploader.upload() }?.code == .changedMeanwhile)
      try await Proxy.set([])
      #expect(try await log.object(3).get() == nil)
    }
  }

  @Test func `A lost connection is reported to a follower, which continues`() async throws {
    try await UploadedJournal.with { log in
      try log.writeFiles(2)
      let lost = Fault(kind: "refuse", method: "GET")
      try await Proxy.set([lost, lost, lost])
      let uploader = try log.uploader(through: Servers.proxy)
      let (results, sends) = AsyncStream<Result<[UInt64], RemoteError>>.makeStream()
      let task = Task {
        try await uploader.follow(every: .milliseconds(1)) { sends.yield($0) }
      }
      var next = results.makeAsyncIterator()
      guard case .failure(let error) = await next.next() else {
        Issue.record("The lost connection was not reported.")
        return
      }
      #expect(error.code == .unreachable)
      let uploaded = try await next.next()?.get()
      #expect(uploaded == [1])
      task.cancel()
      try await task.value
      try await Proxy.set([])
    }
  }

  @Test func `A request that fails while a journal is read is the cause of the error`()
    async throws
  {
    try await UploadedJournal.with { log in
      try log.writeFiles(2)
      _ = try await log.uploader().upload()
      try await Proxy.set([])
      let journal = try await log.remote(through: Servers.proxy)
      try await Proxy.set([Fault(kind: "status", method: "GET", status: 403, stays: true)])
      let failure = await #expect(throws: JournalError.self) {
        try await journal.perform { _ = try $0.count() }
      }
      try await Proxy.set([])
      #expect(failure?.code == JournalError.Code(rawValue: "sourceFailed"))
      #expect((failure?.sealError?.underlyingError as? RemoteError)?.code == .accessDenied)
    }
  }

  @Test func `The tool prints the last entry of a journal by few requests`() async throws {
    try await Tool.with(Servers.proxy) { tool in
      let key = try SealKey.create(at: tool.url("my.key").path)
      let log = try UploadedJournal(at: tool.url("log").path, for: key)
      try log.append((0..<20_000).map { Array("line \($0)".utf8) })
      try log.writeFiles(1)
      let store = try Servers.store()
      let uploader = try log.uploader()
      #expect(try await uploader.upload() == [1])
      try log.journal.close()
      try await Proxy.set([])
      let text = "s3://\(store.bucket)/\(uploader.prefix)"
      let printed = try tool.succeed("journal", "cat", text, "-k", "my.key", "--last", "1")
      #expect(printed.output == "line 19999\n")
      let requests = try await Proxy.log()
      #expect(requests.count <= 7, "\(requests)")
    }
  }
}
