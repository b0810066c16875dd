#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The beginning of this process: its standard streams, and the bytes of its arguments.
package enum ProcessStart {
  /// Opens `/dev/null` in place of each closed standard stream, so that no file that is opened later becomes a standard
  /// stream.
  ///
  /// Standard input is opened for writing only and the others for reading only, so using them fails as it
  /// does while they are closed.
  package static func openStandardStreams() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
      // `open` takes the lowest free number, and all lower ones are open by now.
      _ = unsafe open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  package static func canRead(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_WRONLY
  }

  /// Whether an environment variable is valid UTF-8 or not set.
  package static func isUTF8(variable name: String) -> Bool {
    guard let value = unsafe getenv(name) else { return true }
    return unsafe String(validatingCString: value) != nil
  }

  /// The first argument that is not valid UTF-8, with each byte that is not ASCII in hexadecimal, such as `\xE9`.
  ///
  /// A `String` cannot hold such bytes: the standard library replaces them.
  package static var malformedArgument: String? {
    for index in 0..<Int(CommandLine.argc) {
      guard let argument = unsafe CommandLine.unsafeArgv[index],
        unsafe String(validatingCString: argument) == nil
      else { continue }
      var text = ""
      var next = unsafe argument
      while unsafe next.pointee != 0 {
        let byte = unsafe UInt8(bitPattern: next.pointee)
        text +=
          byte < 0x80
          ? String(Unicode.Scalar(byte)) : "\\x" + String(byte, radix: 16, uppercase: true)
        unsafe next += 1
      }
      return text
    }
    return nil
  }
}
