import KeepsakeSeal

/// Frames that are sealed or opened together, on several threads when they are large.
enum FrameGroup {
  /// The most frames of a group.
  static let length = 16
  /// The least number of frames for which threads are used; for fewer, threads would cost more than they save.
  static let leastLength = 8

  /// The results of `work` for each number below `count`, in their order.
  static func map<Result: Sendable>(
    _ count: Int, _ work: @Sendable (Int) throws(SealError) -> Result
  ) throws(JournalError) -> [Result] {
    try asJournal { () throws(SealError) in
      guard count < leastLength else { return try ParallelWork.map(count, work) }
      var results: [Result] = []
      for number in 0..<count { results.append(try work(number)) }
      return results
    }
  }
}
