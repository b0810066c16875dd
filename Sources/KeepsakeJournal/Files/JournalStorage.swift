import KeepsakeFiles

/// The place at which the files of a journal are stored: a directory, or an object store.
package protocol JournalStorage: Sendable {
  /// True when files can grow, and new ones can be made, while they are read.
  var grows: Bool { get }

  /// The names of all files, in the order of their bytes.
  func names() throws(JournalError) -> [String]

  /// Opens a file for reading; nil when it does not exist.
  func open(_ name: String) throws(JournalError) -> (any StoredFile)?
}

/// A file of a journal that was opened for reading.
package protocol StoredFile: Sendable {
  /// The size of the file in bytes.
  func size() throws(JournalError) -> UInt64

  /// Up to `count` bytes from an offset on; fewer when the file ends before.
  func read(upTo count: Int, at offset: UInt64) throws(JournalError) -> [UInt8]
}

struct DirectoryStorage: JournalStorage {
  let directory: String
  var grows: Bool { true }

  func names() throws(JournalError) -> [String] {
    let directory = directory
    return try withJournalErrors { () throws(FileError) in try DurableFile.names(in: directory) }
  }

  func open(_ name: String) throws(JournalError) -> (any StoredFile)? {
    let path = directory + "/" + name
    do throws(FileError) {
      return LocalFile(try FileLocation(path).openRegularFile().0, path: path)
    } catch {
      if error.code == .fileAbsent || error.code == .directoryAbsent { return nil }
      throw JournalError(error)
    }
  }
}

struct LocalFile: StoredFile {
  private let file: FileDescriptor
  private let path: String

  init(_ file: FileDescriptor, path: String) {
    self.file = file
    self.path = path
  }

  func size() throws(JournalError) -> UInt64 {
    let file = file
    return try withJournalErrors(path) { () throws(SystemFailure) in try file.status().size }
  }

  func read(upTo count: Int, at offset: UInt64) throws(JournalError) -> [UInt8] {
    let (file, path) = (file, path)
    return try withJournalErrors { () throws(FileError) in
      try file.readUp(to: count, at: offset, path: path)
    }
  }
}
