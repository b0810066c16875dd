import Foundation
import Testing

/// The memory of another process, as `/proc` shows it.
struct ProcessMemory {
  let identifier: Int32

  /// The names of the patterns that are found anywhere in memory that the process could have written.
  func names(of patterns: [String: [UInt8]]) throws -> Set<String> {
    // Foundation takes the first short read of such a file for its end.
    let maps = try Command.succeed("cat", "/proc/\(identifier)/maps").output
    try #require(maps.contains("[stack]"))
    let memory = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(identifier)/mem"))
    defer { try? memory.close() }
    let wanted = patterns.mapValues { Data($0) }
    var found: Set<String> = []
    var byteCount = 0
    for line in maps.split(separator: "\n") {
      guard let range = ProcessMemory.range(of: line) else { continue }
      var offset = range.lowerBound
      while offset < range.upperBound {
        let count = Int(min(range.upperBound - offset, 1 << 22))
        try memory.seek(toOffset: offset)
        guard let bytes = try? memory.read(upToCount: count), !bytes.isEmpty else { break }
        byteCount += bytes.count
        for (name, pattern) in wanted where bytes.range(of: pattern) != nil { found.insert(name) }
        // A pattern may cross the boundary of two pieces.
        offset += UInt64(max(bytes.count - 64, 1))
        if bytes.count < count || count <= 64 { break }
      }
    }
    try #require(byteCount > 1 << 20, "only \(byteCount) bytes of memory could be read")
    return found
  }

  /// The addresses of a mapping that may hold what the process has written.
  private static func range(of line: Substring) -> Range<UInt64>? {
    let words = line.split(separator: " ", omittingEmptySubsequences: true)
    guard words.count >= 5, words[1].hasPrefix("r") else { return nil }
    let isFile = words.count > 5 && words[5].hasPrefix("/")
    guard !isFile || words[1].hasPrefix("rw"), words.last?.hasPrefix("[v") != true else {
      return nil
    }
    let ends = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
    return ends.count == 2 ? ends[0]..<ends[1] : nil
  }
}
