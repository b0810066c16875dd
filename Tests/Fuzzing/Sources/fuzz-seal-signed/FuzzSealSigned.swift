internal import FuzzDriver
internal import SealForgery

@testable import KeepsakeSeal

/// Reads signed files that a forger with the data key but without the signing key has changed (Spec/seal.md,
/// sections 6.1 to 6.3).
@main struct FuzzSealSigned {
  static func main() throws {
    let forger = try SealForger()
    let files = try forger.signedFiles()
    let genuine = Set(files.map(\.plaintext))
    var policy = forger.policy
    policy.signature = .trusted([forger.trusted])
    let trusting = policy
    let target = FuzzTarget(
      seeds: { files.map(\.bytes) }, repair: forger.repaired,
      body: { input in
        // A file that opens for a reader who trusts the signer must have content that the signer signed.
        if let plaintext = read(input, forger, trusting), !genuine.contains(plaintext) {
          broken("other content under the signature")
        }
        var policy = trusting
        for signature in [SealSignaturePolicy.anySigner, .notRequired] {
          policy.signature = signature
          _ = read(input, forger, policy)
        }
      })
    try target.run()
  }

  /// The plaintext, read as a whole and in parts, which must agree; nil when the file is refused.
  private static func read(
    _ input: [UInt8], _ forger: SealForger, _ policy: SealPolicy
  ) -> [UInt8]? {
    do throws(SealError) {
      let file = try SealedFile.open(bytes: input, with: forger.identities, policy: policy)
      if file.summary.fileSize != input.count { broken("another size than that of the header") }
      let parts = stride(from: 0, to: file.plaintextLength, by: 3_000).map {
        $0..<min($0 + 3_000, file.plaintextLength)
      }
      var pieces: [UInt8] = []
      var failure: SealError?
      for part in parts {
        do throws(SealError) { pieces += try file.read(part) } catch { failure = error }
      }
      let plaintext: [UInt8]
      do throws(SealError) { plaintext = try file.read() } catch {
        if !parts.isEmpty, failure == nil { broken("the whole fails and no part does: \(error)") }
        throw error
      }
      if let failure { broken("a part fails and the whole does not: \(failure)") }
      if pieces != plaintext { broken("the parts are not the whole") }
      if case .notRequired = policy.signature {
        if file.signer != nil { broken("a signer that was not requested") }
      } else if file.signer == nil {
        broken("no signer")
      }
      return plaintext
    } catch {
      if error.description.isEmpty { broken("an error without a sentence") }
      return nil
    }
  }
}
