import KeepsakeFiles

/// Adds a line to a file that several processes change.
func add(
  _ line: String, toLogAt path: String
) throws(FileError) {
  let lock = try FileLock(
    at: path + ".lock", patience: .seconds(5))
  defer { withExtendedLifetime(lock) {} }
  var contents: [UInt8] = []
  do {
    contents = try DurableFile.read(at: path, upTo: 1 << 20)
  } catch  where error.code == .fileAbsent {}
  contents += Array("\(line)\n".utf8)
  try DurableFile.replace(at: path, with: contents.span)
}
