internal import ArchiveForgery
internal import FuzzDriver
internal import KeepsakeArchive
internal import KeepsakeDocuments

/// Reads an archive whole, forward and at random: all three must agree (Spec/archive.md, 7.9).
///
/// The input is the plan of the sources' behaviour, and an archive in which short records may stand for the
/// fillers of segments.
@main struct FuzzArchiveStream {
  static func main() throws {
    let target = FuzzTarget(
      seeds: {
        let plans: [[UInt8]] = [
          [2, 0, 1, 0, 7, 0, 0, 0], [7, 0, 4, 2, 200, 0, 0, 0], [2, 0, 0, 4, 0, 3, 12, 1],
          [0, 9, 2, 1, 9, 0, 0, 0], [1, 35, 3, 0, 99, 0, 0, 0],
        ]
        let archives = try ArchiveSeeds.archives() + ArchiveSeeds.segmented()
        return archives.flatMap { archive in plans.map { $0 + archive } }
      },
      repair: { input, choice in
        let start = min(ReadingPlan.byteCount, input.count)
        return Array(input[..<start]) + ArchiveForger.repaired(Array(input[start...]), choice)
      },
      body: { input in
        let start = min(ReadingPlan.byteCount, input.count)
        let plan = ReadingPlan(input[..<start])
        var archive = Array(input[start...])
        if let filled = ArchiveParts(archive)?.filled() {
          archive = filled.assembled()
          plan.poke(&archive, of: filled)
        }
        read(archive, plan)
      })
    try target.run()
  }

  private static func read(_ bytes: [UInt8], _ plan: ReadingPlan) {
    let forward = ForwardReading(HostileStream(bytes, plan))
    let source = HostileSource(bytes, plan)
    var positioned: Reading?
    do throws(ArchiveError) {
      let archive = try Archive(source: source)
      // Opening reads the frame and the tables once, and a few blocks.
      let block = min(max(source.blockByteCount, 64), bytes.count)
      precondition(source.givenByteCount <= 2 * bytes.count + 8 * block)
      positioned = Reading(archive)
      _ = Reading.inOrder(archive)
    } catch {
      precondition(!error.description.isEmpty)
      if case .none = plan.mischief { precondition(error.code != .sourceFailed) }
    }
    guard case .none = plan.mischief else { return }
    compare(bytes, forward, positioned, plan)
  }

  private static func compare(
    _ bytes: [UInt8], _ forward: ForwardReading, _ positioned: Reading?, _ plan: ReadingPlan
  ) {
    guard let archive = try? Archive(bytes) else {
      precondition(forward.reading == nil && positioned == nil, "only one of three refuses it")
      return
    }
    let whole = Reading(archive)
    expect(positioned, whole, "at random")
    let inOrder = Reading.inOrder(archive)
    precondition(
      (try? Archive(source: HostileSource(bytes, plan))).map { Reading.inOrder($0) } == inOrder)
    if let reading = forward.reading {
      expect(reading, whole, "forward")
      precondition(inOrder == whole.records)
      cut(bytes, forward.records, plan)
    } else if let verdict = try? archive.verdict() {
      // Forward reading refuses, in addition, only segments that end too early.
      guard case .notCanonical = verdict, let error = forward.error as? ArchiveError,
        error.code == .nonCanonical
      else {
        broken("\(verdict), but refused forward: \(forward.error as Any)")
      }
    }
  }

  private static func expect(_ reading: Reading?, _ whole: Reading, _ way: String) {
    guard reading != whole else { return }
    broken("read \(way) it is \(reading as Any), and whole \(whole)")
  }

  /// Checks that a stream that is cut short yields the objects before the error, and no others.
  private static func cut(_ bytes: [UInt8], _ records: [Reading.Record], _ plan: ReadingPlan) {
    let part = ForwardReading(HostileStream(Array(bytes[..<(bytes.count * plan.cut / 256)]), plan))
    precondition((part.error as? ArchiveError)?.code == .truncated)
    precondition(records.starts(with: part.records))
  }
}
