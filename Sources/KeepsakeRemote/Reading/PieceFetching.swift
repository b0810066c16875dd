#if Remote
  import Synchronization

  /// Pieces of an object that several threads fetch; the first failure ends the others' work.
  final class PieceFetching: Sendable {
    private struct State {
      var next = 0
      var pages: [Int: [UInt8]] = [:]
      var failure: RemoteError?
    }

    private let pieces: [Range<Int>]
    private let state = Mutex(State())

    init(pieces: [Range<Int>]) { self.pieces = pieces }

    var pieceCount: Int { pieces.count }

    /// All pages that were fetched, and the first failure.
    var result: (pages: [Int: [UInt8]], failure: RemoteError?) {
      state.withLock { ($0.pages, $0.failure) }
    }

    /// Fetches pieces until none is left; several threads call it.
    func run(_ fetch: (Range<Int>) throws(RemoteError) -> [Int: [UInt8]]) {
      while let piece = nextPiece() {
        do throws(RemoteError) {
          let pages = try fetch(piece)
          state.withLock { $0.pages.merge(pages) { first, _ in first } }
        } catch {
          state.withLock { $0.failure = $0.failure ?? error }
        }
      }
    }

    private func nextPiece() -> Range<Int>? {
      state.withLock { state in
        guard state.failure == nil, state.next < pieces.count else { return nil }
        state.next += 1
        return pieces[state.next - 1]
      }
    }
  }
#endif
