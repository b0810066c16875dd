/// A path, split into its directory, which is opened once, and its name in that directory.
package struct FileLocation {
  package let path: String
  package let directoryPath: String
  package let name: String

  package init(_ path: String) throws(FileError) {
    try Self.requireName(path)
    let bytes = path.utf8
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let start = slash.map { bytes.index(after: $0) } ?? bytes.startIndex
    name = String(path[start...])
    guard !["", ".", ".."].contains(name) else { throw FileError(.invalidPath, path: path) }
    let directory = path[..<start]
    directoryPath = directory.isEmpty ? "." : String(directory)
    self.path = path
  }

  /// Runs system calls; an error names this path.
  package func calling<Result>(
    _ body: () throws(SystemFailure) -> Result
  ) throws(FileError) -> Result {
    do throws(SystemFailure) {
      return try body()
    } catch {
      throw FileError(error, path: path)
    }
  }

  /// Opens the directory of the file, which need not exist yet.
  func openDirectory() throws(FileError) -> Directory {
    do {
      return try calling { () throws(SystemFailure) in try Directory(path: directoryPath) }
    } catch  where error.code == .fileAbsent {
      throw FileError(
        .directoryAbsent, path: path, systemError: error.systemError,
        systemCall: error.systemCall)
    }
  }

  /// The status of the entry at the path, links not followed; nil when nothing is there.
  func status(in directory: Directory) throws(FileError) -> FileStatus? {
    try calling { () throws(SystemFailure) in try directory.status(of: name) }
  }

  /// Opens the file for reading if it is a regular one.
  ///
  /// Nothing else is opened at all: opening a pipe or a device can block or have effects.
  package func openRegularFile() throws(FileError) -> (FileDescriptor, FileStatus) {
    let named = try calling { () throws(SystemFailure) in
      try FileStatus.withoutFollowingLinks(path)
    }
    guard let named else { throw FileError(.fileAbsent, path: path) }
    try requireRegular(named)
    let file = try calling { () throws(SystemFailure) in
      try FileDescriptor(openingForReading: path)
    }
    // The name may have gone to another file before it was opened.
    let status = try calling { () throws(SystemFailure) in try file.status() }
    try requireRegular(status)
    return (file, status)
  }

  /// Opens anything but a directory for reading, for a command that reads what its user names: a link is followed, and
  /// a pipe waits for its writer.
  package func openFollowingLinks() throws(FileError) -> (FileDescriptor, FileStatus) {
    let (file, status) = try calling { () throws(SystemFailure) in
      let file = try FileDescriptor(following: path)
      return (file, try file.status())
    }
    if status.kind == .directory { try requireRegular(status) }
    return (file, status)
  }

  func requireRegular(_ status: FileStatus) throws(FileError) {
    let kind =
      switch status.kind {
      case .regular: ""
      case .directory: "a directory"
      case .symbolicLink: "a symbolic link"
      case .pipe: "a pipe"
      case .socket: "a socket"
      case .device: "a device"
      }
    guard kind.isEmpty else {
      throw FileError(.notRegularFile, path: path, detail: "it is \(kind)")
    }
  }
}

extension FileLocation {
  /// Refuses a text that names no file, or may name the wrong one.
  static func requireName(_ path: String) throws(FileError) {
    // A zero byte would end the path early for the C library.
    guard !path.isEmpty, !path.utf8.contains(0) else { throw FileError(.invalidPath, path: path) }
    // A path whose bytes are not UTF-8 gets U+FFFD when it becomes a String. Two paths that differ only in
    // such bytes become the same String, and would name one file.
    guard !path.unicodeScalars.contains("\u{FFFD}") else {
      throw FileError(
        .invalidPath, path: path,
        detail:
          "it has U+FFFD, which stands for bytes that are not UTF-8; give the file another name")
    }
  }

  static func withoutTrailingSlashes(_ path: String) throws(FileError) -> String {
    try requireName(path)
    var rest = path[...]
    while rest.count > 1, rest.hasSuffix("/") { rest.removeLast() }
    return String(rest)
  }

  /// Whether a directory is at the path; throws when something else is there.
  static func isDirectory(_ path: String) throws(FileError) -> Bool {
    try requireName(path)
    do throws(SystemFailure) {
      guard let status = try FileStatus.followingLinks(path) else { return false }
      guard status.kind == .directory else { throw SystemFailure.notDirectory }
      return true
    } catch {
      throw FileError(error, path: path)
    }
  }

  /// The status of the entry at any path, links not followed; "/" and ".." are allowed.
  static func status(ofPath path: String) throws(FileError) -> FileStatus? {
    try requireName(path)
    do throws(SystemFailure) {
      return try FileStatus.withoutFollowingLinks(path)
    } catch {
      throw FileError(error, path: path)
    }
  }
}
