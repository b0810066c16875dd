import Synchronization

// Several threads can read the objects of an archive, in parts of a few segments, which do not depend on each other.
// The caller provides the threads: the standard library has none that a function could wait for.

extension ArchiveStorage {
  /// Reads all objects on several threads; nil when the archive is to be read in order.
  @inlinable
  func decodeObjects<Value: ArchiveDecodableRecord & Sendable>(
    _ type: Value.Type, threads: Int,
    on run: (_ count: Int, _ work: @Sendable () -> Void) -> Void
  ) throws(ArchiveError) -> [Value]? {
    guard let parts = ArchiveParts(self, threads: threads, stride: MemoryLayout<Value>.stride)
    else { return nil }
    let queue = PartQueue(parts.count)
    let values = unsafe [Value](unsafeUninitializedCapacity: parts.objectCount) { target, count in
      // Each part writes only to its own places.
      nonisolated(unsafe) let places = unsafe target
      queue.perform(threads, on: run) { part throws(ArchiveError) in
        try unsafe parts.decode(type, part, into: places)
      }
      if queue.failure == nil {
        count = parts.objectCount
      } else {
        for part in queue.completed {
          unsafe target.extracting(parts.indices(part)).deinitialize()
        }
      }
    }
    if let failure = queue.failure { throw failure }
    return values
  }
}

/// An archive cut into parts of a few segments each.
@usableFromInline
struct ArchiveParts: Sendable {
  /// The number of segments in a part: of 64 KiB each, so that a part takes far longer than the start of a thread.
  private static let segmentCount = 4

  private let storage: ArchiveStorage
  /// The number of the first object of each part, and the one after the last object.
  ///
  /// They are read once, so that two threads never make the same value, even if the source changes meanwhile.
  @usableFromInline let firstObjects: [Int]

  /// Divides an archive into parts; nil when it must be read in order.
  ///
  /// It must be read in order when it is small, when its rows do not increase, or when memory for values of `stride`
  /// bytes would be out of proportion to the archive, or to the segments that were found.
  @usableFromInline
  init?(_ storage: ArchiveStorage, threads: Int, stride: Int) {
    let (count, frame) = (ArchiveParts.segmentCount, storage.frame)
    guard threads > 1, frame.segmentCount > count,
      frame.objectCount <= storage.mostValues(ofStride: stride),
      !storage.isWhole || storage.foundObjectCount == frame.objectCount
    else { return nil }
    var firstObjects: [Int] = []
    firstObjects.reserveCapacity(frame.segmentCount / count + 2)
    for segment in Swift.stride(from: 0, to: frame.segmentCount, by: count) {
      guard let row = try? storage.segment(segment).row else { return nil }
      firstObjects.append(Int(row.firstObject))
    }
    firstObjects.append(frame.objectCount + 1)
    guard firstObjects[0] == 1, zip(firstObjects, firstObjects.dropFirst()).allSatisfy(<) else {
      return nil
    }
    self.storage = storage
    self.firstObjects = firstObjects
  }

  @usableFromInline var count: Int { firstObjects.count - 1 }

  @usableFromInline var objectCount: Int { firstObjects[count] - 1 }

  /// The indices of the objects of a part, counted from 0.
  @usableFromInline
  func indices(_ part: Int) -> Range<Int> { firstObjects[part] - 1..<firstObjects[part + 1] - 1 }

  @usableFromInline
  func cursor(_ part: Int) throws(ArchiveError) -> ObjectCursor {
    try ObjectCursor(
      storage, segment: part * ArchiveParts.segmentCount,
      firstObject: UInt32(firstObjects[part]))
  }

  /// Fills the places of the objects of a part; if it throws, it leaves all of them empty.
  @unsafe
  @inlinable
  func decode<Value: ArchiveDecodableRecord>(
    _ type: Value.Type, _ part: Int, into places: UnsafeMutableBufferPointer<Value>
  ) throws(ArchiveError) {
    let indices = indices(part)
    var next = indices.lowerBound
    do throws(ArchiveError) {
      var cursor = try cursor(part)
      while next < indices.upperBound {
        guard let record = try cursor.next() else { throw changed() }
        let value = try Value(from: cursor.lend(record))
        unsafe places.initializeElement(at: next, to: value)
        next &+= 1
      }
    } catch {
      unsafe places.extracting(indices.lowerBound..<next).deinitialize()
      throw error
    }
  }

  @usableFromInline
  func changed() -> ArchiveError {
    ArchiveError(
      .sourceFailed, "the segment directory is not what it was when reading began",
      offset: storage.frame.rowsOffset)
  }
}

/// Numbered parts of one task, which threads take one after the other.
@usableFromInline
final class PartQueue: Sendable {
  private struct State {
    var next = 0
    var completed: [Int] = []
    var failure: (part: Int, error: ArchiveError)?
  }

  private let count: Int
  private let state = Mutex(State())

  @usableFromInline
  init(_ count: Int) {
    self.count = count
  }

  /// Calls a closure for each part, until one fails.
  ///
  /// Parts are taken in order. So when one has failed, all parts before it are completed, and the failure with the
  /// lowest number is the one that reading in order would find.
  @usableFromInline
  func perform(
    _ threads: Int, on run: (_ count: Int, _ work: @Sendable () -> Void) -> Void,
    _ body: @Sendable (Int) throws(ArchiveError) -> Void
  ) {
    withoutActuallyEscaping(body) { body in
      run(min(threads, count)) { self.work(body) }
      // In case `run` started no thread.
      work(body)
    }
  }

  private func work(_ body: @Sendable (Int) throws(ArchiveError) -> Void) {
    while let part = take() {
      do throws(ArchiveError) {
        try body(part)
        state.withLock { $0.completed.append(part) }
      } catch {
        state.withLock { state in
          if part < state.failure?.part ?? .max { state.failure = (part, error) }
        }
      }
    }
  }

  private func take() -> Int? {
    state.withLock { state in
      guard state.next < count, state.failure == nil else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  @usableFromInline var completed: [Int] { state.withLock { $0.completed } }

  /// The error of the first part that failed.
  @usableFromInline var failure: ArchiveError? { state.withLock { $0.failure?.error } }
}
