import CommandSupport
import Dispatch
import Foundation
import Keepsake
import Synchronization

/// Standard input: as a whole, or in pieces while something is done with those before.
enum StandardInput {
  private static let pieceByteCount = 1 << 20
  /// Enough bytes to tell what the rest is.
  private static let beginningByteCount = 4_096

  /// Up to this size a sealed file is held in memory.
  private static let heldByteCount = 1 << 24

  /// Refuses `-` where standard input is closed.
  static func requireOpen(for file: String) throws(Failure) {
    guard file == "-", !ProcessStart.canRead(0) else { return }
    throw Failure(
      "Standard input is closed, and - reads it: name a file, or open it in the shell, as by < FILE.",
      .inputOutput)
  }

  /// A whole sealed file or archive that came from standard input.
  enum Content {
    case bytes([UInt8])
    case file(FileSource)
  }

  /// Reads all of a sealed file or an archive; what is neither is refused by its first bytes.
  ///
  /// A sealed file is opened by its size and read in any order. A long one goes into a temporary file, sealed as
  /// it is. An archive, which is in the clear, is held in memory.
  static func readAll(upTo limit: Int) throws -> Content {
    let beginning = try read(upTo: beginningByteCount)
    guard isSealed(beginning) else {
      if isNoArchive(beginning) { throw InputFile.neither("standard input") }
      return .bytes(try readPlain(upTo: limit, after: beginning))
    }
    var bytes = beginning
    while bytes.count < heldByteCount {
      let piece = try read(upTo: pieceByteCount)
      if piece.isEmpty { return .bytes(bytes) }
      bytes += piece
    }
    return .file(try FileSource(holding: bytes) { try read(upTo: pieceByteCount) })
  }

  /// Reads all of it, whatever it is.
  static func readPlain(upTo limit: Int, after beginning: [UInt8] = []) throws -> [UInt8] {
    var bytes = beginning
    while true {
      let piece = try read(upTo: pieceByteCount)
      guard !piece.isEmpty else { return bytes }
      guard bytes.count + piece.count <= limit else {
        throw Failure(
          "Standard input has more than \(limit) bytes, which this verb would have to hold in memory; "
            + "put it into a file, and name that.", .damaged)
      }
      bytes += piece
    }
  }

  private static func isSealed(_ bytes: [UInt8]) -> Bool {
    do throws(SealError) {
      _ = try SealedFile.inspect(bytes: bytes)
      return true
    } catch {
      return error.code != .notSealedFile && error.code != .emptyFile
    }
  }

  private static func isNoArchive(_ bytes: [UInt8]) -> Bool {
    do throws(ArchiveError) {
      _ = try Archive(bytes)
      return false
    } catch {
      return error.saysNoArchive
    }
  }

  /// Reads as many bytes as there are up to a number; none at the end.
  static func read(upTo count: Int) throws -> [UInt8] {
    do {
      return Array(try FileHandle.standardInput.read(upToCount: count) ?? Data())
    } catch {
      throw Failure("Standard input cannot be read: check where it comes from.", .inputOutput)
    }
  }

  /// Hands all of it over piece by piece.
  ///
  /// It is read on another thread, so that the caller does not wait for a pipe in which nothing comes when
  /// the process is asked to end.
  static func forEachPiece(
    of pieces: InputPieces, _ body: ([UInt8]) throws -> Void
  ) throws {
    let thread = Thread { pieces.fill { try read(upTo: pieceByteCount) } }
    thread.start()
    while let piece = try pieces.next() { try body(piece) }
  }
}

/// What one thread has read and another has not yet taken.
final class InputPieces: Sendable {
  private struct State {
    var pieces: [[UInt8]] = []
    var failure: (any Error)?
  }

  private let state = Mutex(State())
  /// How many more pieces may be read ahead.
  private let room = DispatchSemaphore(value: 0)
  /// How many pieces there are to be taken; the end and an error count as one.
  private let filled = DispatchSemaphore(value: 0)

  init() {
    // Counted up, since a semaphore must not end with less than it was made with.
    for _ in 0..<4 { room.signal() }
  }

  /// Reads until the end, which is an empty piece; called on the thread that waits for input.
  func fill(_ read: () throws -> [UInt8]) {
    do {
      while true {
        room.wait()
        let piece = try read()
        put { $0.pieces.append(piece) }
        if piece.isEmpty { return }
      }
    } catch {
      stop(error)
    }
  }

  /// Lets no more come, because of an error.
  func stop(_ error: any Error) {
    put { $0.failure = $0.failure ?? error }
  }

  /// Changes the state and tells of it at once: who is told of nothing would take it for the end.
  private func put(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      filled.signal()
    }
  }

  /// The next piece; `nil` at the end.
  func next() throws -> [UInt8]? {
    filled.wait()
    let piece = try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.pieces.isEmpty ? [] : state.pieces.removeFirst()
    }
    room.signal()
    return piece.isEmpty ? nil : piece
  }
}
