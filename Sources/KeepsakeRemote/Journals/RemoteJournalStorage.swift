#if Remote
  import Keepsake

  /// The files of a journal below a prefix of a bucket, which are listed once and read by ranges.
  final class RemoteJournalStorage: JournalStorage {
    /// The most files that are open at a time; they share the memory of one source.
    private static let openLimit = 4

    let store: ObjectStore
    /// The beginning of all keys; empty, or with a slash at its end.
    let prefix: String
    /// The objects by their names, which are their keys without the prefix.
    let entries: [String: ObjectStore.Entry]
    let counter = TrafficCounter()
    var grows: Bool { false }

    private let cancellation: Cancellation
    /// The open files, the most recently used one last.
    private let open = Monitor<[(name: String, source: RemoteSource)]>([])

    /// Lists the files.
    init(
      _ store: ObjectStore, prefix: String, _ cancellation: Cancellation
    ) throws(RemoteError) {
      let prefix = Self.folder(prefix)
      let list = try store.listNow(prefix: prefix, limit: .max, cancellation)
      entries = Dictionary(
        list.map { (String($0.key.dropFirst(prefix.count)), $0) }.filter { !$0.0.contains("/") }
      ) { first, _ in first }
      self.store = store
      self.prefix = prefix
      self.cancellation = cancellation
    }

    /// The prefix of keys in a folder: empty, or with a slash at its end.
    static func folder(_ prefix: String) -> String {
      prefix.isEmpty || prefix.hasSuffix("/") ? prefix : prefix + "/"
    }

    /// The address of the folder, without a slash at its end.
    var address: String { "s3://\(store.bucket)/\(prefix.dropLast())" }

    var numbers: Set<UInt64> {
      Set(entries.keys.compactMap { JournalDirectory.number(ofFile: $0) })
    }

    func names() -> [String] { entries.keys.sorted() }

    func open(_ name: String) throws(JournalError) -> (any StoredFile)? {
      guard entries[name] != nil else { return nil }
      let path = "\(address)/\(name)"
      do throws(RemoteError) {
        return RemoteJournalFile(source: try source(of: name), path: path)
      } catch {
        throw JournalError(error, path: path)
      }
    }

    private func source(of name: String) throws(RemoteError) -> RemoteSource {
      if let found = open.withLock({ $0.first { $0.name == name }?.source }) {
        keep(found, as: name)
        return found
      }
      var object = try store.object(prefix + name)
      object.settings.cacheByteCount /= Self.openLimit
      let source = try RemoteSource(
        object, firstByteCount: PageCache.pageLength, counting: counter, cancellation)
      keep(source, as: name)
      return source
    }

    private func keep(_ source: RemoteSource, as name: String) {
      open.withLock { open in
        open.removeAll { $0.name == name }
        open.append((name, source))
        if open.count > Self.openLimit { open.removeFirst() }
      }
    }
  }

  /// A file of a journal in an object store.
  private struct RemoteJournalFile: StoredFile {
    let source: RemoteSource
    let path: String

    func size() -> UInt64 { UInt64(source.byteCount) }

    func read(upTo count: Int, at offset: UInt64) throws(JournalError) -> [UInt8] {
      guard let start = Int(exactly: offset), start < source.byteCount else { return [] }
      let end = start + min(count, source.byteCount - start)
      do throws(RemoteError) {
        return try source.bytes(start..<end)
      } catch {
        throw JournalError(error, path: path)
      }
    }
  }

  extension JournalError {
    /// The error of a request for a file of a journal.
    fileprivate init(_ error: RemoteError, path: String) {
      self.init(
        SealError(.sourceFailed, path: path, detail: error.message, underlyingError: error))
    }
  }
#endif
