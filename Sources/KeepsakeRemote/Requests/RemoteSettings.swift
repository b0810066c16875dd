#if Remote
  /// Time limits, retries and memory of requests.
  public struct RemoteSettings: Sendable {
    /// The most times a request is sent, the first time included; at least 1.
    ///
    /// A request is sent again only after a lost connection, a time-out or an answer that says that the server is overloaded
    /// or failed. All requests are safe to repeat.
    public var attemptCount: Int
    /// The mean pause before the first retry; it doubles with each further one.
    public var backoff: Duration
    /// The longest pause before a retry, also where the server asks for a longer one.
    public var longestBackoff: Duration
    /// The time after which an attempt ends, its connection included.
    public var timeout: Duration
    /// The most bytes of an object that a ``RemoteSource`` keeps in memory.
    public var cacheByteCount: Int
    /// The most bytes that a source requests ahead while an object is read from start to end; 0 for none.
    public var readAheadByteCount: Int
    /// The most requests of one read that are under way at a time; at least 1.
    public var concurrentRequestCount: Int

    /// Creates settings; each has a default.
    ///
    /// - Parameters:
    ///   - attemptCount: The most times a request is sent.
    ///   - backoff: The mean pause before the first retry.
    ///   - longestBackoff: The longest pause before a retry.
    ///   - timeout: The time after which an attempt ends.
    ///   - cacheByteCount: The most bytes that a source keeps in memory.
    ///   - readAheadByteCount: The most bytes that a source requests ahead.
    ///   - concurrentRequestCount: The most requests of one read at a time.
    public init(
      attemptCount: Int = 4, backoff: Duration = .milliseconds(200),
      longestBackoff: Duration = .seconds(5), timeout: Duration = .seconds(60),
      cacheByteCount: Int = 16 << 20, readAheadByteCount: Int = 4 << 20,
      concurrentRequestCount: Int = 4
    ) {
      self.attemptCount = attemptCount
      self.backoff = backoff
      self.longestBackoff = longestBackoff
      self.timeout = timeout
      self.cacheByteCount = cacheByteCount
      self.readAheadByteCount = readAheadByteCount
      self.concurrentRequestCount = concurrentRequestCount
    }

    /// The pause after a number of attempts.
    ///
    /// It is a random part of the allowed pause, so that many clients do not return at once. If the server asks for a
    /// longer pause, it is that one, up to ``longestBackoff``.
    func pause(after attempt: Int, requested: Duration?) -> Duration {
      let factor: Int = 2 << min(max(0, attempt - 1), 16)
      let jittered = min(backoff * factor, longestBackoff) * Double.random(in: 0.5...1)
      return min(max(jittered, requested ?? .zero), longestBackoff)
    }
  }

  extension Duration {
    /// The duration in nanoseconds, clamped to 64 bits.
    var nanoseconds: Int64 {
      let (seconds, attoseconds) = components
      return Int64(clamping: Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000))
    }
  }
#endif
