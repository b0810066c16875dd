import CommandSupport
import Dispatch
import Foundation
import Keepsake
import Synchronization

/// Standard input: read as a whole, or in pieces, the next one while the caller works on the one before.
enum StandardInput {
  private static let pieceByteCount = 1 << 20
  /// Enough bytes to recognise a sealed file or an archive.
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

  /// A whole sealed file or archive that was read from standard input.
  enum Content {
    case bytes([UInt8])
    case file(FileSource)
  }

  /// Reads all of a sealed file or an archive; other input is refused by its first bytes.
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

  /// Reads standard input to its end, whatever it contains.
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

  /// Reads up to a number of bytes; returns none at the end.
  static func read(upTo count: Int) throws -> [UInt8] {
    do {
      return Array(try FileHandle.standardInput.read(upToCount: count) ?? Data())
    } catch {
      throw Failure("Standard input cannot be read: check where it comes from.", .inputOutput)
    }
  }

  /// Passes standard input to a closure, piece by piece.
  ///
  /// Another thread reads it, so that a pipe without data does not keep the caller from ending when a signal
  /// asks for it.
  static func forEachPiece(
    of pieces: InputPieces, _ body: ([UInt8]) throws -> Void
  ) throws {
    let thread = Thread { pieces.fill { try read(upTo: pieceByteCount) } }
    thread.start()
    while let piece = try pieces.next() { try body(piece) }
  }
}

/// The pieces that one thread has read and another one has not yet taken.
final class InputPieces: Sendable {
  private struct State {
    var pieces: [[UInt8]] = []
    var failure: (any Error)?
  }

  private let state = Mutex(State())
  /// The number of further pieces that may be read ahead.
  private let room = DispatchSemaphore(value: 0)
  /// The number of pieces that can be taken; the end counts as a piece, and so does an error.
  private let filled = DispatchSemaphore(value: 0)

  init() {
    // A semaphore must not be released below its initial value, so it begins with 0 and is counted up.
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

  /// Ends the input with an error.
  func stop(_ error: any Error) {
    put { $0.failure = $0.failure ?? error }
  }

  /// Changes the state and signals the reader under one lock: a reader that finds no piece takes it for the end.
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
