#if Remote
  /// The pages of an object that are in memory, and those that are being fetched.
  struct PageCache {
    /// The size of a page in bytes: a chunk of 64 KiB touches at most six.
    static let pageLength = 1 << 14

    private struct Page {
      let bytes: [UInt8]
      var lastUse: UInt64
    }

    let pageCount: Int
    private let capacity: Int
    private let readAheadLimit: Int
    private var pages: [Int: Page] = [:]
    private(set) var fetching: Set<Int> = []
    private var clock: UInt64 = 0
    /// The page after the last one that was claimed, where a sequential reader continues; -1 before the first claim.
    private var nextPage = -1
    /// The number of pages that the last claim of a sequential reader had.
    private var window = 0

    init(objectByteCount: Int, settings: RemoteSettings) {
      pageCount = (objectByteCount + Self.pageLength - 1) / Self.pageLength
      capacity = max(16, settings.cacheByteCount / Self.pageLength)
      readAheadLimit = min(max(0, settings.readAheadByteCount / Self.pageLength), capacity / 2)
    }

    /// The bytes of a page; nil if it is not in memory.
    mutating func bytes(of page: Int) -> [UInt8]? {
      clock += 1
      pages[page]?.lastUse = clock
      return pages[page]?.bytes
    }

    /// Claims the wanted pages that are neither in memory nor being fetched, pages ahead of a sequential reader, and
    /// nearby pages that fit into the same request.
    ///
    /// The caller has to fetch the pages that are returned. All pages are ascending.
    mutating func claim(_ wanted: [Int], nearby: Range<Int>) -> [Int] {
      var claimed = wanted.filter(isMissing)
      guard var first = claimed.first, var last = claimed.last else { return [] }
      window = first == nextPage ? min(max(2 * window, 2 * claimed.count), readAheadLimit) : 0
      while last + 1 < (claimed.count < window ? pageCount : nearby.upperBound),
        isMissing(last + 1)
      {
        last += 1
        claimed.append(last)
      }
      while first > nearby.lowerBound, isMissing(first - 1) {
        first -= 1
        claimed.insert(first, at: 0)
      }
      nextPage = last + 1
      fetching.formUnion(claimed)
      return claimed
    }

    private func isMissing(_ page: Int) -> Bool { pages[page] == nil && !fetching.contains(page) }

    /// Ends a claim: keeps the pages that were fetched.
    mutating func finish(_ claimed: [Int], with fetched: [Int: [UInt8]]) {
      fetching.subtract(claimed)
      for (page, bytes) in fetched {
        clock += 1
        pages[page] = Page(bytes: bytes, lastUse: clock)
      }
      guard pages.count > capacity else { return }
      // Evicts a quarter at a time, so that sorting is rare.
      let oldest = pages.sorted { $0.value.lastUse < $1.value.lastUse }
      for (page, _) in oldest.prefix(pages.count - capacity * 3 / 4) { pages[page] = nil }
    }
  }
#endif
