import CommandSupport
import Keepsake

/// The paths of open descriptors, such as a shell makes for `<(COMMAND)`.
enum DescriptorPath {
  /// The descriptor of a path such as `/dev/fd/3`; nil for any other path.
  static func number(in path: String) -> Int32? {
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
      return Int32(path.dropFirst(folder.count))
    }
    return path == "/dev/stdin" ? 0 : nil
  }

  /// Refuses a path of a descriptor that is not open, before the tool opens one of that number.
  static func requireOpen(_ path: String) throws(Failure) {
    guard let number = number(in: path), !ProcessStart.canRead(number) else { return }
    throw Failure(
      "File descriptor \(number), which \"\(path)\" names, is not open for reading; open it in the shell, for example with "
        + "\(number)< FILE.", .inputOutput)
  }
}
