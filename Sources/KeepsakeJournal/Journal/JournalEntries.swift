import Dispatch
import KeepsakeFiles

/// The entries of a journal, in order, as an asynchronous sequence.
///
/// Each iteration reads the files anew, while writers append, without a lock. Reading stops at damage with an error
/// that names its place.
public struct JournalEntries<Value: Sendable>: AsyncSequence, Sendable {
  /// The entries.
  public typealias Element = JournalEntry<Value>
  /// The errors of reading.
  public typealias Failure = JournalError

  /// The interval at which a sequence that waits for entries checks the files.
  private static var pollInterval: Duration { .milliseconds(50) }

  let reader: JournalReader
  let form: JournalForm<Value>
  /// True when the sequence waits at the end of the journal for new entries.
  let isFollowing: Bool

  /// Makes an iterator that begins with the first entry of the sequence.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      reader: SharedReader(reader), form: form, isFollowing: isFollowing,
      path: reader.files.directory)
  }

  /// Reads entries one after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reader: SharedReader
    @usableFromInline let form: JournalForm<Value>
    fileprivate let isFollowing: Bool
    @usableFromInline let path: String
    /// The entries of one frame, and the index of the entry that is returned next.
    @usableFromInline var ready = FoundEntries()
    @usableFromInline var position = 0
    /// The entries of the next frames that were read ahead, the last frame first.
    private var later: [FoundEntries] = []

    fileprivate init(
      reader: SharedReader, form: JournalForm<Value>, isFollowing: Bool, path: String
    ) {
      self.reader = reader
      self.form = form
      self.isFollowing = isFollowing
      self.path = path
    }

    /// Reads the next entry; a thread that may block reads the files.
    ///
    /// - Returns: The entry; nil at the end, or, when the sequence follows the journal, once its task is cancelled.
    /// - Throws: ``JournalError`` when the journal is damaged there, or cannot be read.
    @inlinable public mutating func next() async throws(JournalError) -> JournalEntry<Value>? {
      try await next(isolation: nil)
    }

    /// Reads the next entry as ``next()`` does, on behalf of an actor.
    @inlinable public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(JournalError) -> JournalEntry<Value>? {
      repeat {
        while position < ready.count {
          position += 1
          if let entry = try JournalEntry(ready[position - 1], as: form, in: path) { return entry }
        }
      } while try await readMore()
      return nil
    }

    /// Reads more entries; false at the end, or, when the sequence follows the journal, once its task is cancelled.
    @usableFromInline nonisolated(nonsending) mutating func readMore()
      async throws(JournalError) -> Bool
    {
      while true {
        if let next = later.popLast() {
          (ready, position) = (next, 0)
          return true
        }
        later = try await reader.step().get().reversed()
        guard later.isEmpty else { continue }
        guard isFollowing else { return false }
        try? await Task.sleep(for: JournalEntries.pollInterval)
        if Task.isCancelled { return false }
      }
    }
  }
}

/// Reads on threads that may block, and reads one step ahead while the caller uses the entries.
private final class SharedReader: Sendable {
  private static let queue = DispatchQueue(
    label: "Keepsake.JournalEntries", attributes: .concurrent)
  private let state: Monitor<State>

  private struct State {
    var reader: JournalReader
    /// The result of the next step if it was read ahead, else nil.
    var ahead: Result<[FoundEntries], JournalError>?
    /// The error that follows the entries of the last step; the next step throws it.
    var failure: JournalError?
    /// The number of frames of the next step; it doubles, so that waking a thread for each step costs little.
    var frameCount = 1

    /// The entries of the next frames; none at the end.
    mutating func step() -> Result<[FoundEntries], JournalError> {
      Result { () throws(JournalError) in
        defer { failure = nil }
        if let failure { throw failure }
        var found: [FoundEntries] = []
        do throws(JournalError) {
          for _ in 0..<frameCount {
            guard case .entries(let entries) = try reader.step() else { break }
            found.append(entries)
          }
        } catch {
          if found.isEmpty { throw error }
          failure = error
        }
        frameCount = min(2 * frameCount, FrameGroup.length)
        return found
      }
    }
  }

  init(_ reader: JournalReader) { state = Monitor(State(reader: reader)) }

  /// The entries of the next frames; none at the end.
  func step() async -> Result<[FoundEntries], JournalError> {
    await withCheckedContinuation { continuation in
      SharedReader.queue.async {
        self.state.withLock { state in
          let result = state.ahead ?? state.step()
          continuation.resume(returning: result)
          guard case .success(let found) = result, !found.isEmpty else {
            return state.ahead = nil
          }
          let ahead = state.step()
          // An empty step is not kept, because the journal may grow until the next call.
          if case .success(let found) = ahead, found.isEmpty {
            state.ahead = nil
          } else {
            state.ahead = ahead
          }
        }
      }
    }
  }
}
