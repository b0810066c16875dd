internal import ArchiveForgery
internal import FuzzDriver
internal import KeepsakeArchive

/// Reads an unchecked archive lazily, in any order and as any type.
///
/// The input is a byte with a number of steps, two bytes for each step, and the archive.
@main struct FuzzArchiveWalk {
  static func main() throws {
    let target = FuzzTarget(
      seeds: {
        let steps = (0..<120).flatMap { [UInt8($0), UInt8(truncatingIfNeeded: $0 * 37)] }
        return try ArchiveSeeds.archives().map { [120] + steps + $0 }
      },
      repair: { input, choice in
        let start = min(1 + 2 * Int(input.first ?? 0), input.count)
        return Array(input[..<start]) + ArchiveForger.repaired(Array(input[start...]), choice)
      },
      body: { input in
        let start = min(1 + 2 * Int(input.first ?? 0), input.count)
        guard let archive = try? Archive(Array(input[start...])) else { return }
        var walk = ArchiveWalk(archive: archive, steps: Array(input[min(1, start)..<start]))
        walk.run()
      })
    try target.run()
  }
}
