#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The beginning of this process: its standard streams, and the bytes of its arguments.
package enum ProcessStart {
  /// Opens `/dev/null` in place of each standard stream that is closed, so that no file and no pipe that is opened
  /// later becomes one.
  ///
  /// Standard input is opened for writing alone and the others for reading alone: using them fails, as it does
  /// while they are closed.
  package static func openStandardStreams() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) < 0 {
      // The lowest number that is free is taken, and all lower ones are open by now.
      _ = unsafe open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Whether a descriptor is open, and not for writing alone.
  package static func canRead(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    return flags >= 0 && flags & O_ACCMODE != O_WRONLY
  }

  /// Whether a variable of the environment is UTF-8, or not set.
  package static func isUTF8(variable name: String) -> Bool {
    guard let value = unsafe getenv(name) else { return true }
    return unsafe String(validatingCString: value) != nil
  }

  /// The first argument whose bytes are not UTF-8, each other byte than those of ASCII as `\xE9`.
  ///
  /// A `String` cannot hold such bytes: the standard library puts others in their place.
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
