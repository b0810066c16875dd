import Foundation

/// The names in a directory, sorted.
package func names(in directory: String) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
}

/// All bytes of a file.
package func contents(of path: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// Writes a file without the code under test.
package func write(_ bytes: [UInt8], to path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

/// The permission bits of a file.
package func permissions(of path: String) throws -> Int {
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
}

/// Runs a program and returns whether it succeeded.
package func run(_ program: String, _ arguments: String...) -> Bool {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.standardError = FileHandle.nullDevice
  do { try process.run() } catch { return false }
  process.waitUntilExit()
  return process.terminationStatus == 0
}

/// The bytes that hexadecimal digits spell; other characters are left out.
package func bytes(ofHexadecimal digits: some StringProtocol) -> [UInt8] {
  let digits = digits.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] << 4 | digits[$0 + 1])
  }
}
