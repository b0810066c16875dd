import KeepsakeFiles

/// Controls which memory of this process a core dump contains.
enum CoreDumps {
  private struct State {
    var users = 0
    /// The filter that the process had before, to be restored; nil while it is unchanged.
    var filter: [UInt8]?
  }

  private static let state = Monitor(State())
  /// On Linux, a hexadecimal number whose bit 0 includes private memory.
  private static let filterName = "coredump_filter"

  /// Keeps ordinary memory of the process out of core dumps while `body` runs.
  ///
  /// For memory that a library maps itself, so that it cannot be marked. The filter applies to the whole
  /// process; when the system has none, or does not let it be changed, nothing happens.
  static func withoutMemory<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    begin()
    defer { end() }
    return try body()
  }

  private static func begin() {
    state.withLock { state in
      state.users += 1
      guard state.users == 1, let filter = read(), let bits = number(filter) else { return }
      if (try? write("0x" + String(bits & ~1, radix: 16))) != nil { state.filter = filter }
    }
  }

  private static func end() {
    state.withLock { state in
      state.users -= 1
      guard state.users == 0, let filter = state.filter, let bits = number(filter) else { return }
      try? write("0x" + String(bits, radix: 16))
      state.filter = nil
    }
  }

  private static func number(_ filter: [UInt8]) -> UInt64? {
    UInt64(String(decoding: filter.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self), radix: 16)
  }

  private static func read() -> [UInt8]? {
    #if os(Linux)
      // Eight digits and a line feed; a shorter file has another format.
      guard let file = try? FileDescriptor(openingForReading: "/proc/self/" + filterName) else {
        return nil
      }
      return try? file.readExactly(9, at: 0, path: filterName)
    #else
      return nil
    #endif
  }

  private static func write(_ text: String) throws(SystemFailure) {
    let bytes = Array(text.utf8)
    try Directory(path: "/proc/self").openForWriting(filterName).write(bytes.span, at: 0)
  }
}
