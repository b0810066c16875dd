internal import FuzzDriver
internal import SealForgery

@testable import KeepsakeSeal

/// Checks the rules of a header that need no key (Spec/seal.md, sections 2 to 4).
@main struct FuzzSealHeader {
  static func main() throws {
    let forger = try SealForger()
    let target = FuzzTarget(
      seeds: forger.files, repair: forger.repaired,
      body: { input in
        do throws(SealError) {
          let header = try SealedSource(bytes: input).header(policy: SealPolicy())
          // A header has one encoding: an accepted header equals the one that would be written.
          precondition(header.preamble.bytes == Array(input[..<SealFormat.preambleLength]))
          precondition(header.bytes == Array(input[..<header.preamble.headerLength]))
          precondition(ChunkLayout(header.preamble).fileSize == UInt64(input.count))
          precondition(header.slots.count == header.preamble.slotCount)
          let summary = try SealedFile.inspect(bytes: input)
          precondition(summary.fileSize == input.count)
        } catch {
          precondition(!error.description.isEmpty)
        }
      })
    try target.run()
  }
}
