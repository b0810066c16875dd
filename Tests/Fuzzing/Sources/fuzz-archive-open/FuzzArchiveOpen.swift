internal import ArchiveForgery
internal import FuzzDriver
internal import KeepsakeArchive
internal import KeepsakeDocuments

/// Opens and fully checks an archive: one that passes is what a writer makes from its values.
@main struct FuzzArchiveOpen {
  static func main() throws {
    let target = FuzzTarget(
      seeds: ArchiveSeeds.archives, repair: ArchiveForger.repaired,
      body: { input in
        let archive: Archive
        do throws(ArchiveError) {
          archive = try Archive(input)
        } catch {
          precondition(!error.description.isEmpty)
          return
        }
        precondition(archive.objectCount < input.count)
        let records = try? ArchiveRewriting.records(of: archive)
        let verdict: ArchiveVerdict
        do throws(ArchiveError) {
          verdict = try archive.verdict()
        } catch {
          precondition(!error.description.isEmpty)
          return
        }
        if case .notCanonical = verdict { return }
        // A full check has visited everything that can be read.
        guard let records else { preconditionFailure("checked and cannot be read") }
        rewrite(archive, records, input, isKnown: verdict == .canonical)
      })
    try target.run()
  }

  private static func rewrite(
    _ archive: Archive, _ records: [DynamicRecord], _ input: [UInt8], isKnown: Bool
  ) {
    guard !records.contains(where: \.hasNestedReservedKey) else { return }
    let again: [UInt8]
    let copy: Archive
    do {
      again = try ArchiveRewriting.rewritten(archive, records)
      copy = try Archive(again)
      if case .notCanonical(let error) = try copy.verdict() { throw error }
      let read = try ArchiveRewriting.records(of: copy)
      precondition(read.count == records.count)
      guard isKnown, ArchiveParts(input)?.saysAllInValues == true else { return }
      precondition(read == records)
    } catch {
      // A reserved value of another kind cannot be written unchanged.
      guard ArchiveParts(input)?.saysAllInValues == true else { return }
      preconditionFailure("\(error)")
    }
    // The writer does not write the minor version and the optional features of the input.
    var expected = input
    expected.replaceSubrange(10..<12, with: [0, 0])
    expected.replaceSubrange(16..<20, with: [0, 0, 0, 0])
    precondition(again == expected, "a second form of the same values")
  }
}
