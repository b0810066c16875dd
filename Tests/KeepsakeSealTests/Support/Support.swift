import Foundation
import KeepsakeFiles
import KeepsakeSeal

/// The code of the error that `body` throws; nil when it throws none.
func code<Result>(_ body: () throws -> Result) -> SealError.Code? {
  error(body)?.code
}

/// The error that `body` throws; nil when it throws none.
func error<Result>(_ body: () throws -> Result) -> SealError? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? FileError).map { SealError($0) } ?? error as? SealError
  }
}

/// Bytes in which every position and every chunk looks different.
///
/// They repeat after a prime number of bytes, so that no chunk of the first 16 MiB begins as another one. In a debug
/// build, random bytes for each MiB would take a tenth of a second.
func pattern(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  var bytes = (0..<min(count, 4_093)).map { _ in
    state ^= state &<< 13
    state ^= state &>> 7
    state ^= state &<< 17
    return UInt8(truncatingIfNeeded: state &>> 32)
  }
  bytes.reserveCapacity(count)
  // The bytes so far are whole periods until the last step.
  while bytes.count < count { bytes += bytes.prefix(count - bytes.count) }
  return bytes
}

/// Sets the permission bits of a file.
func setPermissions(_ mode: Int, of path: String) throws {
  try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

/// A passphrase of some text.
func passphrase(_ text: String) throws -> SealPassphrase {
  let bytes = Array(text.utf8)
  return try SealPassphrase(copying: bytes.span)
}
