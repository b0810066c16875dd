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
func pattern(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  return (0..<count).map { _ in
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return UInt8(truncatingIfNeeded: state >> 32)
  }
}

/// The names in a directory, sorted.
func names(in directory: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
}

/// The permission bits of a file.
func permissions(of path: String) throws -> Int {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
}

/// Sets the permission bits of a file.
func setPermissions(_ mode: Int, of path: String) throws {
  try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

/// All bytes of a file.
func contents(of path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// Writes a file without the code under test.
func write(_ bytes: [UInt8], to path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

/// Runs a program and returns whether it succeeded.
func run(_ program: String, _ arguments: String...) -> Bool {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.standardError = FileHandle.nullDevice
  do { try process.run() } catch { return false }
  process.waitUntilExit()
  return process.terminationStatus == 0
}

/// A passphrase of some text.
func passphrase(_ text: String) throws -> SealPassphrase {
  let bytes = Array(text.utf8)
  return try SealPassphrase(copying: bytes.span)
}
