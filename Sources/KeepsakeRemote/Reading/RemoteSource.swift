#if Remote
  public import Keepsake
  import Synchronization

  /// Reads a sealed file in an object store, or on a web server, by ranges.
  ///
  /// ```swift
  /// let source = try await RemoteSource.open(object)
  /// let name = try await source.perform { source in
  ///   let archive = try Archive(
  ///     source: SealedFile.open(source: source, with: [.key(key)]))
  ///   return try archive.object(archive.rootID)
  ///     .decode(String.self, forKey: "name")
  /// }
  /// ```
  ///
  /// The server is not trusted: the sealed file verifies each chunk. All ranges come from one version of the object;
  /// when it is replaced meanwhile, reads fail with `changedMeanwhile`. Pages of 16 KiB are cached up to
  /// ``RemoteSettings/cacheByteCount``, and sequential reads are prefetched in growing pieces.
  ///
  /// ``read(_:)`` blocks its thread until the bytes are there. Call it, and everything that reads through it, in
  /// ``perform(_:)`` or on a thread of your own.
  public final class RemoteSource: SealedFileSource {
    /// The bytes of the first request: the header of the file, and usually its first chunk of 64 KiB.
    static let firstByteCount = 5 * PageCache.pageLength
    /// The bytes of the digests that have one parent.
    private static let digestByteCount = 4 << 10
    /// The bytes at the end of a signed file of 1 GiB that verify its last chunks: the signature, the upper levels of the
    /// digests, and two runs of the lowest level.
    private static let trailerEndByteCount = 16 << 10
    /// The most bytes of one request.
    private static let pieceByteCount = 1 << 20

    /// The requests that a source has sent, and the bytes that it has received.
    public struct Traffic: Hashable, Sendable {
      /// The number of requests, retries included.
      public var requestCount = 0
      /// The number of bytes of the object.
      public var byteCount = 0
    }

    /// The object.
    public let object: RemoteObject
    /// The size of the object in bytes.
    public let byteCount: Int
    /// The version of the object from which all bytes come.
    public let version: ObjectVersion
    private let cancellation: Cancellation
    private let cache: Monitor<PageCache>
    private let counter: TrafficCounter

    /// The requests and bytes so far.
    public var traffic: Traffic { counter.traffic }

    /// Requests the beginning of the object.
    ///
    /// Sources of one journal share a counter.
    init(
      _ object: RemoteObject, firstByteCount: Int = RemoteSource.firstByteCount,
      counting counter: TrafficCounter = TrafficCounter(), _ cancellation: Cancellation
    ) throws(RemoteError) {
      let first = try object.getNow(0..<firstByteCount, cancellation)
      counter.add(first)
      self.object = object
      self.cancellation = cancellation
      byteCount = first.objectByteCount
      version = first.version
      var cache = PageCache(objectByteCount: byteCount, settings: object.settings)
      cache.finish([], with: Self.pages(of: first.bytes, from: 0, objectByteCount: byteCount))
      self.cache = Monitor(cache)
      self.counter = counter
    }

    /// Requests the beginning of the object, with its size and version.
    ///
    /// - Throws: ``RemoteError``: `absent` if there is no object, `rangeRefused` if the server sends no ranges, and others.
    public static func open(_ object: RemoteObject) async throws(RemoteError) -> RemoteSource {
      let cancellation = Cancellation()
      return try await BlockingWork.run(cancelling: cancellation) { () throws(RemoteError) in
        try RemoteSource(object, cancellation)
      }
    }

    /// Runs work that reads, on a thread that may block.
    ///
    /// When the task is cancelled, requests under way end and later ones fail with `cancelled`, in this call and in all
    /// others; then open a source anew.
    ///
    /// - Parameter work: The work, which gets this source.
    /// - Returns: The result of the work.
    /// - Throws: The error of the work.
    public func perform<T: Sendable>(
      _ work: @escaping @Sendable (RemoteSource) throws -> T
    ) async throws -> T {
      try await BlockingWork.run(cancelling: cancellation) { try work(self) }
    }

    /// Reads a part of the object; blocks until it is there.
    ///
    /// - Parameter range: Offsets between 0 and ``byteCount``.
    /// - Returns: As many bytes as the range has.
    /// - Throws: ``RemoteError``.
    public func read(_ range: Range<Int>) throws -> [UInt8] { try bytes(range) }

    /// Reads as ``read(_:)`` does, with a typed error.
    func bytes(_ range: Range<Int>) throws(RemoteError) -> [UInt8] {
      guard range.lowerBound >= 0, range.upperBound <= byteCount else {
        throw RemoteError(
          .rangeRefused, "The bytes \(range) are not within \(byteCount).", request: "GET \(object)"
        )
      }
      guard !range.isEmpty else { return [] }
      let length = PageCache.pageLength
      let wanted = Self.pages(of: range)
      let pages = try pages(wanted, nearby: Self.pages(of: surroundings(of: range)))
      var bytes: [UInt8] = []
      bytes.reserveCapacity(range.count)
      for page in wanted {
        guard let content = pages[page] else { continue }
        let part = range.clamped(to: page * length..<page * length + content.count)
        bytes += content[part.lowerBound - page * length..<part.upperBound - page * length]
      }
      return bytes
    }

    /// A range, extended by the bytes that the reader of a signed file needs next (Spec/seal.md, section 6.3): the last
    /// chunk is followed by the digests of the first ones, and the signature follows those of the last ones.
    private func surroundings(of range: Range<Int>) -> Range<Int> {
      let end = min(range.upperBound + Self.digestByteCount, byteCount)
      guard range.upperBound == byteCount else { return range.lowerBound..<end }
      return max(0, min(range.lowerBound, byteCount - Self.trailerEndByteCount))..<end
    }

    private static func pages(of range: Range<Int>) -> Range<Int> {
      range.lowerBound / PageCache.pageLength..<(range.upperBound - 1) / PageCache.pageLength + 1
    }

    /// The bytes of pages, from memory or from the server.
    private func pages(
      _ wanted: Range<Int>, nearby: Range<Int>
    ) throws(RemoteError) -> [Int: [UInt8]] {
      var found: [Int: [UInt8]] = [:]
      while true {
        let (missing, claimed) = cache.withLock { cache -> ([Int], [Int]) in
          var missing: [Int] = []
          for page in wanted where found[page] == nil {
            if let bytes = cache.bytes(of: page) {
              found[page] = bytes
            } else {
              missing.append(page)
            }
          }
          return (missing, cache.claim(missing, nearby: nearby))
        }
        if missing.isEmpty { return found }
        if claimed.isEmpty {
          // Another thread fetches them; if it fails, the next turn claims them.
          cache.wait { cache in !missing.contains { cache.fetching.contains($0) } }
          continue
        }
        for (page, bytes) in try fetch(claimed) where wanted.contains(page) { found[page] = bytes }
      }
    }

    /// Fetches claimed pages by several requests at a time.
    private func fetch(_ claimed: [Int]) throws(RemoteError) -> [Int: [UInt8]] {
      let fetching = PieceFetching(
        pieces: Self.pieces(
          of: claimed, concurrentRequestCount: object.settings.concurrentRequestCount))
      WorkerThreads.perform(
        min(max(1, object.settings.concurrentRequestCount), fetching.pieceCount)
      ) {
        fetching.run { pages throws(RemoteError) in
          let start = pages.lowerBound * PageCache.pageLength
          let end = min(pages.upperBound * PageCache.pageLength, byteCount)
          let part = try object.getNow(start..<end, of: version, cancellation)
          guard part.objectByteCount == byteCount else {
            throw RemoteError(
              .changedMeanwhile, "The object has another size than before. Open it again.",
              request: "GET \(object)")
          }
          counter.add(part)
          return Self.pages(of: part.bytes, from: pages.lowerBound, objectByteCount: byteCount)
        }
      }
      let (pages, failure) = fetching.result
      cache.withLock { $0.finish(claimed, with: pages) }
      if let failure { throw failure }
      return pages
    }

    /// Runs of pages, each for one request.
    private static func pieces(of pages: [Int], concurrentRequestCount: Int) -> [Range<Int>] {
      let most = max(
        1,
        min(
          pieceByteCount / PageCache.pageLength,
          // Small reads stay one request each.
          max(16, (pages.count + concurrentRequestCount - 1) / max(1, concurrentRequestCount))))
      var pieces: [Range<Int>] = []
      for page in pages {
        if let last = pieces.last, last.upperBound == page, last.count < most {
          pieces[pieces.count - 1] = last.lowerBound..<page + 1
        } else {
          pieces.append(page..<page + 1)
        }
      }
      return pieces
    }

    /// Cuts bytes that start at a page into whole pages; the last page of the object may be shorter.
    private static func pages(
      of bytes: [UInt8], from first: Int, objectByteCount: Int
    ) -> [Int: [UInt8]] {
      var pages: [Int: [UInt8]] = [:]
      var start = 0
      while start < bytes.count {
        let end = min(start + PageCache.pageLength, bytes.count)
        let page = first + start / PageCache.pageLength
        if end - start == PageCache.pageLength
          || page * PageCache.pageLength + end - start == objectByteCount
        {
          pages[page] = Array(bytes[start..<end])
        }
        start = end
      }
      return pages
    }
  }

  /// Counts the requests and bytes of one or more sources.
  final class TrafficCounter: Sendable {
    private let state = Mutex(RemoteSource.Traffic())

    var traffic: RemoteSource.Traffic { state.withLock { $0 } }

    func add(_ part: RemoteObject.Part) {
      state.withLock { traffic in
        traffic.requestCount += part.attemptCount
        traffic.byteCount += part.bytes.count
      }
    }
  }
#endif
