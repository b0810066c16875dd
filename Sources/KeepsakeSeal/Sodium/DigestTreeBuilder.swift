import KeepsakeFiles

/// Builds the digest tree of a payload while its chunks are sealed, on any thread and in any order
/// (Spec/seal.md, section 6.1).
///
/// Once a parent digest is computed, the digests of its chunks are no longer needed. They are written to a
/// file, if there is one, so that only 32 bytes for each 128 chunks stay in memory. They are never read back,
/// so a program that changes that file meanwhile cannot get other chunks signed.
final class DigestTreeBuilder: Sendable {
  /// The storage of the chunk digests.
  enum Leaves: Sendable {
    /// The digests are dropped: only the content digest is needed.
    case dropped
    /// The digests are kept in memory.
    case kept
    /// The digests are written to a file, starting at an offset.
    case written(FileDescriptor, at: UInt64)
    /// The digests are written to a file that the closure makes when the first group is complete.
    case spilled(@Sendable () throws(SealError) -> FileDescriptor)
  }

  /// The result once all chunks are added.
  struct Result {
    let contentDigest: [UInt8]
    /// The number of bytes of the trailer that have been written to a file.
    let writtenByteCount: Int
    /// The remaining bytes of all levels.
    let rest: [UInt8]
    /// The file that `spilled` made, if any.
    let spill: FileDescriptor?
  }

  private struct State {
    /// The incomplete groups of digests by parent, in ascending order of chunks, with zeros in the gaps.
    var groups: [Int: (digests: [UInt8], count: Int)] = [:]
    var parents: [UInt8] = []
    var kept: [UInt8] = []
    var spill: FileDescriptor?
  }

  private static let groupLength = DigestTreeLayout.fanOut * ChunkDigest.length

  private let leaves: Leaves
  private let state = Monitor(State())

  init(_ leaves: Leaves) { self.leaves = leaves }

  /// Adds the digests of consecutive chunks.
  func add(_ digests: [UInt8], firstChunk: Int) throws(SealError) {
    try state.withLock { state throws(SealError) in
      var done = 0
      while done < digests.count {
        let position = firstChunk * ChunkDigest.length + done
        let (group, offset) = position.quotientAndRemainder(dividingBy: Self.groupLength)
        let length = min(Self.groupLength - offset, digests.count - done)
        var entry =
          state.groups.removeValue(forKey: group)
          ?? ([UInt8](repeating: 0, count: Self.groupLength), 0)
        entry.digests.replaceSubrange(offset..<offset + length, with: digests[done..<done + length])
        entry.count += length
        done += length
        if entry.count == Self.groupLength {
          try complete(group, entry.digests[...], &state)
        } else {
          state.groups[group] = entry
        }
      }
    }
  }

  private func complete(
    _ group: Int, _ digests: ArraySlice<UInt8>, _ state: inout State
  ) throws(SealError) {
    let parent = try ChunkDigest.node(level: 1, index: group, children: digests)
    Self.put(parent, at: group * ChunkDigest.length, in: &state.parents)
    let offset = UInt64(group * Self.groupLength)
    switch leaves {
    case .dropped: break
    case .kept: Self.put(Array(digests), at: Int(offset), in: &state.kept)
    case .written(let file, let start): try Self.write(digests, to: file, at: start + offset)
    case .spilled(let make):
      if state.spill == nil { state.spill = try make() }
      if let file = state.spill { try Self.write(digests, to: file, at: offset) }
    }
  }

  /// Builds the upper levels, once the digests of all chunks have been added.
  func finish(chunkCount: Int) throws(SealError) -> Result {
    try state.withLock { state throws(SealError) in
      let layout = DigestTreeLayout(chunkCount: chunkCount)
      let isMemory = if case .kept = leaves { true } else { false }
      let (fullGroups, partCount) = chunkCount.quotientAndRemainder(
        dividingBy: DigestTreeLayout.fanOut)
      var rest = state.kept
      if partCount > 0 {
        // Every chunk has been sealed, so the group exists.
        guard let part = state.groups[fullGroups] else { throw SealError(.cryptographyUnavailable) }
        let digests = part.digests[..<(partCount * ChunkDigest.length)]
        rest += digests
        Self.put(
          try ChunkDigest.node(level: 1, index: fullGroups, children: digests),
          at: fullGroups * ChunkDigest.length, in: &state.parents)
      }
      var level = state.parents
      for number in 1..<layout.rootLevel {
        rest += level
        var next: [UInt8] = []
        let count = number + 1 < layout.counts.count ? layout.counts[number + 1] : 1
        for index in 0..<count {
          let children = layout.children(level: number + 1, index: index)
          next += try ChunkDigest.node(
            level: number + 1, index: index,
            children: level[
              children.lowerBound * ChunkDigest.length..<children.upperBound * ChunkDigest.length])
        }
        level = next
      }
      return Result(
        contentDigest: level,
        writtenByteCount: isMemory ? 0 : fullGroups * Self.groupLength, rest: rest,
        spill: state.spill)
    }
  }

  /// Writes bytes at an offset of an array, which grows as needed.
  private static func put(_ bytes: [UInt8], at offset: Int, in array: inout [UInt8]) {
    let end = offset + bytes.count
    if array.count < end { array.append(contentsOf: repeatElement(0, count: end - array.count)) }
    array.replaceSubrange(offset..<end, with: bytes)
  }

  private static func write(
    _ digests: ArraySlice<UInt8>, to file: FileDescriptor, at offset: UInt64
  ) throws(SealError) {
    try callingSystem { () throws(SystemFailure) in try file.write(digests.span, at: offset) }
  }
}
