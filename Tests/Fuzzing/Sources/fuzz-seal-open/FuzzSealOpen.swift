internal import FuzzDriver
internal import SealForgery

@testable import KeepsakeSeal

/// Opens and reads files that a holder of the key has forged.
@main struct FuzzSealOpen {
  static func main() throws {
    let forger = try SealForger()
    let target = FuzzTarget(
      seeds: forger.files, repair: forger.repaired,
      body: { input in
        let file: SealedFile
        do throws(SealError) {
          file = try SealedFile.open(
            bytes: input, with: forger.identities, policy: forger.policy)
        } catch {
          precondition(!error.description.isEmpty)
          return
        }
        precondition(file.summary.fileSize == input.count)
        do throws(SealError) {
          let plaintext = try file.read()
          precondition(plaintext.count == file.plaintextLength)
          try compareRanges(of: file, with: plaintext)
        } catch {
          // The header is valid, so only chunks can be wrong.
          precondition(error.code == .damagedChunk, "\(error)")
          precondition((0..<file.summary.chunkCount).contains(error.chunkIndex ?? -1))
        }
      })
    try target.run()
  }

  /// Checks that reads of parts agree with the read of the whole.
  private static func compareRanges(
    of file: SealedFile, with plaintext: [UInt8]
  ) throws(SealError) {
    let middle = plaintext.count / 2
    for range in [0..<middle, middle..<plaintext.count, middle..<middle] {
      let part = try file.read(range)
      precondition(part == Array(plaintext[range]))
    }
  }
}
