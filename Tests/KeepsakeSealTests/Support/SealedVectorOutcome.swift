import Foundation

@testable import KeepsakeSeal
import TestSupport

extension SealedVector {
  private func digest(_ bytes: [UInt8]) throws -> HexBytes {
    HexBytes(try Blake2b.hash(bytes, count: 32))
  }

  private func failure(_ error: SealError) -> Outcome {
    Outcome(error: error.code.rawValue, chunk: error.chunkIndex)
  }

  private func name(_ freshness: SealFreshness) -> String {
    switch freshness {
    case .unverified: "unverified"
    case .notOlder: "not older"
    case .sameHeader: "same header"
    case .exact: "exact"
    }
  }

  /// The outcome of a sealed file in this implementation.
  func outcome() throws -> Outcome {
    let how = open
    let file: SealedFile
    do throws(SealError) {
      file = try opened(data(), how)
    } catch {
      return failure(error)
    }
    var found: Outcome
    do {
      let plaintext = try file.read()
      found = Outcome(
        length: file.plaintextLength, generation: String(file.generation), creator: file.creator,
        publicMetadata: StatedBytes(file.summary.publicMetadata), slot: file.openedBySlot,
        sole: file.isPassphraseOnly, signer: (file.signer?.publicKey).map(HexBytes.init),
        freshness: name(file.freshness), pin: (try? file.contentPin().bytes).map(HexBytes.init),
        plaintext: try digest(plaintext))
    } catch let error as SealError {
      found = failure(error)
    }
    if let reads = expected.reads { found.reads = try reads.map { try read($0, of: file) } }
    return found
  }

  private func opened(
    _ bytes: @autoclosure () throws -> [UInt8], _ how: SealedVector.Opening
  ) throws(SealError) -> SealedFile {
    let (data, identities, expectation, policy):
      ([UInt8], [SealIdentity], SealExpectation, SealPolicy)
    do {
      (data, identities) = (try bytes(), try how.identities())
      (expectation, policy) = (try how.expectation(), try how.policy())
    } catch {
      throw (error as? SealError) ?? SealError(.sourceFailed, detail: "\(error)")
    }
    return try SealedFile.open(
      bytes: data, with: identities, context: how.context?.bytes ?? [], expecting: expectation,
      policy: policy)
  }

  private func read(
    _ part: SealedVector.Read, of file: SealedFile
  ) throws -> SealedVector.Read {
    var found = SealedVector.Read(from: part.from, to: part.to)
    do throws(SealError) {
      found.plaintext = HexBytes(
        try Blake2b.hash(try file.read(part.from..<part.to), count: 32))
    } catch {
      (found.error, found.chunk) = (error.code.rawValue, error.chunkIndex)
    }
    return found
  }

  /// The outcome of salvaging a damaged file.
  func salvaged() throws -> Outcome {
    try withTemporaryDirectory { directory in
      try write(data(), to: directory + "/f")
      var intact: [UInt8] = []
      do {
        let lost = try SealedFile.salvage(
          directory + "/f", with: open.identities(),
          context: open.context?.bytes ?? [], policy: open.policy()
        ) { _, bytes in
          intact += bytes.indices.map { bytes[$0] }
        }
        return Outcome(
          salvage: SealedVector.Salvage(
            missing: lost.map { [$0.lowerBound, $0.upperBound] },
            plaintext: try digest(intact)))
      } catch let error as SealError {
        return failure(error)
      }
    }
  }

  /// The outcome of a key file, an identity file or a text.
  func secret() throws -> Outcome {
    let (bytes, phrase) = (try data(), open.passphrase?.bytes ?? [])
    return try withTemporaryDirectory { directory in
      let path = directory + "/f"
      try write(bytes, to: path)
      try setPermissions(0o600, of: path)
      do {
        let found: [UInt8] =
          switch kind {
          case "key file": try SealKey.read(at: path).secret.publicBytes(0..<32)
          case "passphrase key file":
            try SealKey.read(
              at: path,
              passphrase: SealPassphrase(copying: phrase.span)
            ).secret.publicBytes(0..<32)
          case "identity file": try X25519Identity.read(at: path).secret.publicBytes(0..<32)
          case "signing key file": try SealSigningKey.read(at: path).seed.publicBytes(0..<32)
          case "recipient": try X25519Recipient(String(decoding: bytes, as: UTF8.self)).publicKey
          case "identity": try X25519Identity(text: bytes.span).secret.publicBytes(0..<32)
          case "signer": try SealSigner(String(decoding: bytes, as: UTF8.self)).publicKey
          default: try SealSigningKey(text: bytes.span).seed.publicBytes(0..<32)
          }
        return Outcome(bytes: HexBytes(found))
      } catch let error as SealError {
        return failure(error)
      }
    }
  }
}
