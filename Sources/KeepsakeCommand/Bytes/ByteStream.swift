import CommandSupport
import Dispatch
import Foundation
import Keepsake
import Synchronization

/// Input that is read once from its beginning to its end: standard input, or a pipe or device that has a path.
///
/// It is read as a whole, or in pieces: while the caller works on a piece, another thread reads the next one.
struct ByteStream {
  private static let pieceByteCount = 1 << 20
  /// Enough bytes to recognize a sealed file or an archive.
  private static let beginningByteCount = 4_096

  /// Up to this size a sealed file is held in memory.
  private static let memoryLimit = 1 << 24

  /// The name of the input inside a sentence.
  let name: String
  private let handle: FileHandle

  static let standardInput = ByteStream(
    name: "standard input", handle: FileHandle.standardInput)

  private init(name: String, handle: FileHandle) { (self.name, self.handle) = (name, handle) }

  /// Opens a pipe or a device for reading; a pipe waits for its writer.
  init(path: String) throws(Failure) {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw Failure(
        "\"\(path)\" cannot be read: check that it is there and may be read.", .inputOutput)
    }
    self.init(name: path.displayed, handle: handle)
  }

  /// The name at the beginning of a sentence.
  private var subject: String { name.prefix(1).uppercased() + name.dropFirst() }

  /// Refuses `-` where standard input is closed, and paths of descriptors that are not open.
  static func requireOpen(for file: String) throws(Failure) {
    guard file == "-" else { return try DescriptorPath.requireOpen(file) }
    guard !ProcessStart.canRead(0) else { return }
    throw Failure(
      "Standard input is closed, and - reads it: name a file, or open it in the shell, for example with < FILE.",
      .inputOutput)
  }

  /// The file that a verb reads when the user names none: standard input, unless a person would have to type it.
  static func argument(_ file: String?) throws(Failure) -> String {
    if let file { return file }
    guard isatty(STDIN_FILENO) == 0 else {
      throw Failure(
        "No file was named; name one, or pass it with < FILE or a pipe. --help shows examples.",
        .usage)
    }
    return "-"
  }

  /// A whole sealed file or archive that was read.
  enum Content {
    case bytes([UInt8])
    case source(any PositionedSource)
  }

  /// Reads all of a sealed file or an archive; other input is refused by its first bytes.
  ///
  /// To open a sealed file, its size must be known and its parts are read in any order. So a long sealed file is copied
  /// into a temporary file, still sealed. An archive is in the clear, so it is held in memory.
  func readAll(upTo limit: Int) throws -> Content {
    let beginning = try readFully(Self.beginningByteCount)
    if ArmoredText.isArmored(beginning) {
      let text = try readPlain(upTo: ArmoredText.mostBytes, after: beginning)
      return .bytes(try ArmoredText.decode(text, from: name))
    }
    guard Self.isSealed(beginning) else {
      if Self.isNoArchive(beginning) { throw Failure.neither(name, beginning) }
      return .bytes(try readPlain(upTo: limit, after: beginning))
    }
    var bytes = beginning
    while bytes.count < Self.memoryLimit {
      let piece = try read(upTo: Self.pieceByteCount)
      if piece.isEmpty { return .bytes(bytes) }
      bytes += piece
    }
    return .source(
      try FileSource(holding: bytes, of: subject) { try read(upTo: Self.pieceByteCount) })
  }

  /// Reads to the end, whatever the input contains.
  func readPlain(upTo limit: Int, after beginning: [UInt8] = []) throws -> [UInt8] {
    var bytes = beginning
    while true {
      let piece = try read(upTo: Self.pieceByteCount)
      guard !piece.isEmpty else { return bytes }
      guard bytes.count + piece.count <= limit else {
        throw Failure(
          "\(subject) has more than \(limit) bytes, which this verb would have to hold in memory; "
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
      return error.isForeignFormat
    }
  }

  /// Reads up to a number of bytes; returns an empty array at the end.
  func read(upTo count: Int) throws -> [UInt8] {
    do {
      return Array(try handle.read(upToCount: count) ?? Data())
    } catch {
      throw Failure("\(subject) cannot be read: check where it comes from.", .inputOutput)
    }
  }

  /// Reads a number of bytes, and fewer only at the end: a pipe may give a few at a time.
  private func readFully(_ count: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let piece = try read(upTo: count - bytes.count)
      if piece.isEmpty { break }
      bytes += piece
    }
    return bytes
  }

  /// Passes the input to a closure, piece by piece.
  ///
  /// Another thread reads it. So the caller can end at a signal while a pipe has no data.
  func forEachPiece(
    of pieces: InputPieces, _ body: ([UInt8]) throws -> Void
  ) throws {
    let thread = Thread { [self] in pieces.fill { try read(upTo: Self.pieceByteCount) } }
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

  /// Changes the state and signals the reader under one lock.
  ///
  /// Between the two, a reader would find no piece, and take that for the end.
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
