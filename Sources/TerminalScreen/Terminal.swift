#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import Dispatch

/// The terminal of the program, taken over as a whole: every key is reported at once, and the program draws the
/// screen.
///
/// ``restore()`` gives it back with its former settings.
@MainActor
package final class Terminal {
  /// The events of the terminal, in their order; for a single reader.
  package let events: AsyncStream<TerminalEvent>

  private let continuation: AsyncStream<TerminalEvent>.Continuation
  private let original: termios
  private var sources: [any DispatchSourceProtocol] = []
  private var isTaken = true

  /// Takes the terminal over: raw input, the alternate screen, no cursor, and no wrapping of long lines.
  ///
  /// The type of the terminal is the value of `TERM`. Throws when standard input and output are not a terminal, or not
  /// one with a screen; the terminal then has its former settings.
  package init(type: String?) throws(TerminalError) {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { throw .absent }
    guard let type, !type.isEmpty else { throw .unknown }
    // A terminal of this type cannot move its cursor.
    if type == "dumb" { throw .dumb }
    var settings = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { throw .absent }
    original = settings
    unsafe cfmakeraw(&settings)
    guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) == 0 else { throw .absent }
    (events, continuation) = AsyncStream.makeStream(of: TerminalEvent.self)
    sources = Self.sources(continuation)
    for source in sources { source.activate() }
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
  }

  /// The current size of the terminal; 80 by 24 when it reports none.
  package var size: TerminalSize {
    var size = winsize()
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0,
      size.ws_row > 0
    else { return TerminalSize(width: 80, height: 24) }
    return TerminalSize(width: Int(size.ws_col), height: Int(size.ws_row))
  }

  /// Writes text unchanged, with its control sequences; it is dropped when the terminal no longer exists.
  package func write(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[done...])
        let count = unsafe writeBytes(STDOUT_FILENO, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        guard count > 0 else { return }
        done += count
      }
    }
  }

  /// Gives the terminal back, with its main screen, its cursor and its input; a second call does nothing.
  package func restore() {
    guard isTaken else { return }
    isTaken = false
    for source in sources { source.cancel() }
    continuation.finish()
    write("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    var settings = original
    _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
  }

  /// Makes the sources of events; their handlers run on a queue, not on the main actor.
  private nonisolated static func sources(
    _ continuation: AsyncStream<TerminalEvent>.Continuation
  ) -> [any DispatchSourceProtocol] {
    let queue = DispatchQueue(label: "Terminal")
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: queue)
    let reader = Reader(continuation, queue)
    input.setEventHandler { reader.read() }
    var sources: [any DispatchSourceProtocol] = [input]
    for (number, event) in [
      (SIGWINCH, TerminalEvent.resized), (SIGTERM, .endRequested), (SIGINT, .endRequested),
      (SIGHUP, .endRequested),
    ] {
      // The source receives the signal; its default effect would end the program.
      _ = signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { continuation.yield(event) }
      sources.append(source)
    }
    return sources
  }
}

/// The reason why a terminal cannot be taken over.
package enum TerminalError: Error, CustomStringConvertible {
  /// Standard input or output is something else.
  case absent
  /// The type of the terminal is unknown.
  case unknown
  /// The terminal can only print one line after the other.
  case dumb

  /// A full sentence: the problem, and what to do.
  package var description: String {
    switch self {
    case .absent: "There is no terminal to draw in; run this in one, not in a pipe."
    case .unknown:
      "The terminal does not say what it is, because TERM is not set; set it to the terminal's kind, "
        + "such as xterm-256color."
    case .dumb:
      "The terminal says by TERM=dumb that nothing can be placed on its screen; run this in another "
        + "terminal, or set TERM to the kind that it really is."
    }
  }
}

/// Reads the input of the user; used on one queue only.
private final class Reader: @unchecked Sendable {
  private let continuation: AsyncStream<TerminalEvent>.Continuation
  private let queue: DispatchQueue
  private var parser = TerminalKeyParser()
  private var readCount = 0

  init(_ continuation: AsyncStream<TerminalEvent>.Continuation, _ queue: DispatchQueue) {
    self.continuation = continuation
    self.queue = queue
  }

  func read() {
    let capacity = 4_096
    var bytes = [UInt8](repeating: 0, count: capacity)
    let count = unsafe readBytes(STDIN_FILENO, &bytes, capacity)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      continuation.yield(.endRequested)
      return
    }
    for key in parser.keys(in: Array(bytes[..<count])) { continuation.yield(.key(key)) }
    readCount += 1
    if parser.isUndecided { decideLater() }
  }

  /// Waits a moment: if the rest of a sequence does not follow, the user has pressed the escape key.
  private func decideLater() {
    queue.asyncAfter(deadline: .now() + .milliseconds(200)) { [self, readCount] in
      guard readCount == self.readCount else { return }
      // On a busy machine this may run before bytes that have already arrived are read.
      if hasInput { return decideLater() }
      for key in parser.decide() { continuation.yield(.key(key)) }
    }
  }

  private var hasInput: Bool {
    var state = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&state, 1, 0) > 0
  }
}

// System calls, for types whose methods shadow `read` and `write`.

func readBytes(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
  unsafe read(descriptor, bytes, count)
}

func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, bytes, count)
}
