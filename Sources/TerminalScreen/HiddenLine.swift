#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import Synchronization

/// Reads a line that is typed at the terminal without being shown, such as a passphrase.
///
/// It uses the terminal of the process itself, so standard input and output may be pipes.
package enum HiddenLine {
  /// The reason why there is no line.
  package enum Failure: Error {
    /// The process has no terminal.
    case noTerminal
    /// ^C was pressed.
    case interrupted
    /// ^D was pressed, or the terminal is gone.
    case ended
  }

  /// The maximum number of bytes in a line; further ones are ignored.
  private static let limit = 4_096
  /// The former settings of the terminal, while a line is read.
  private static let original = Mutex<(descriptor: Int32, settings: termios)?>(nil)

  /// Reads a line after a prompt, without the line feed; the caller wipes the bytes.
  ///
  /// After an error the terminal has its former settings.
  package static func read(prompt: String) throws(Failure) -> [UInt8] {
    let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { throw .noTerminal }
    defer { close(terminal) }
    var settings = termios()
    guard unsafe tcgetattr(terminal, &settings) == 0 else { throw .noTerminal }
    original.withLock { $0 = (terminal, settings) }
    defer { restore() }
    // The line is read byte by byte and without signals, since ^C has to restore the terminal first.
    settings.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
    guard unsafe tcsetattr(terminal, TCSAFLUSH, &settings) == 0 else { throw .noTerminal }
    show(prompt, at: terminal)
    defer { show("\n", at: terminal) }
    return try line(from: terminal)
  }

  /// Restores the settings of the terminal, if the process has to end while a line is read.
  package static func restore() {
    original.withLock { original in
      guard let (terminal, saved) = original else { return }
      original = nil
      var settings = saved
      _ = unsafe tcsetattr(terminal, TCSAFLUSH, &settings)
    }
  }

  private static func line(from terminal: Int32) throws(Failure) -> [UInt8] {
    var line: [UInt8] = []
    // The array is never reallocated, so only one copy has to be wiped.
    line.reserveCapacity(limit)
    while true {
      var byte: UInt8 = 0
      let count = unsafe readBytes(terminal, &byte, 1)
      if count < 0, errno == EINTR { continue }
      switch count == 1 ? byte : 4 {
      case 0x0A, 0x0D: return line
      case 0x03:
        wipe(&line)
        throw .interrupted
      case 0x04:
        wipe(&line)
        throw .ended
      case 0x7F, 0x08:
        // A character of UTF-8 is deleted as a whole.
        while let last = line.popLast(), last & 0xC0 == 0x80 {}
      case 0x15: wipe(&line)
      default: if line.count < limit { line.append(byte) }
      }
    }
  }

  private static func wipe(_ line: inout [UInt8]) {
    for index in line.indices { line[index] = 0 }
    line.removeAll(keepingCapacity: true)
  }

  /// Reads a secret from a file or a pipe into one array, and leaves no other copy.
  ///
  /// The result is nil when the descriptor cannot be read. Bytes beyond the limit are not read.
  package static func read(from descriptor: Int32, upTo limit: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: limit)
    var count = 0
    while count < limit {
      let result = unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let start = buffer.baseAddress else { return 0 }
        return unsafe readBytes(descriptor, start + count, limit - count)
      }
      if result < 0, errno == EINTR { continue }
      guard result >= 0 else { return nil }
      if result == 0 { break }
      count += result
    }
    bytes.removeLast(limit - count)
    return bytes
  }

  private static func show(_ text: String, at terminal: Int32) {
    let bytes = Array(text.utf8)
    _ = unsafe writeBytes(terminal, bytes, bytes.count)
  }
}
