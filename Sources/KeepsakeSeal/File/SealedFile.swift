/// A file that is secret and whole: it is sealed by one call, and opened by another.
///
/// Whoever has none of its keys learns its length and its public metadata, and any change of it is found. The format
/// is Spec/seal.md.
///
/// ```swift
/// let key = try SealKey.create(at: "state.key")
/// try SealedFile.seal(bytes, to: "state.sealed", for: [.key(key)])
/// let file = try SealedFile.open("state.sealed", with: [.key(key)])
/// let bytes = try file.read()
/// ```
///
/// A value of this class is an open file, whose key was found and whose header is verified. Reads verify each chunk
/// that they touch before any of it is returned. Several threads may read at once; the file is closed with the last
/// reference.
public final class SealedFile: Sendable {
  /// What anyone can read of the file; verified by now.
  public let summary: SealedFileSummary

  /// The number that the writer gave to this save.
  public let generation: UInt64

  /// Who wrote the file, as the writer said.
  public let creator: String

  /// Whether the file is known to be the last one that was written.
  public let freshness: SealFreshness

  /// Who has signed the file, when ``SealPolicy/signature`` asks for a signature; nil when it does not, whether
  /// or not there is one.
  public let signer: SealSigner?

  /// A note of this file, to be kept elsewhere and expected next time.
  ///
  /// It covers the content when the digest of that is known: when ``signer`` or a pin has been verified by it. A
  /// pin that covers the content of any file is ``contentPin()``.
  public var pin: SealedFilePin { SealedFilePin(summary, generation: generation) }

  /// Whether ``freshness`` holds also against those who have, or once had, a key of the file.
  ///
  /// Whoever has the data key of an earlier version can make a file of any generation that opens, unless a
  /// signature of trusted signers is asked for (Spec/seal.md, section 7.3).
  public var freshnessHoldsAgainstKeyHolders: Bool {
    switch freshness {
    case .exact: true
    case .notOlder, .sameHeader:
      if case .trusted = policy.signature { true } else { false }
    case .unverified: false
    }
  }

  /// The index of the slot whose key opened the file.
  public let openedBySlot: Int

  /// The type of the slot whose key opened the file.
  ///
  /// A file that was meant to be opened by a certain kind of key can be refused when it has more
  /// slots than that: see ``SealedFileSummary/slotTypes``.
  public var openedBy: SealSlotType { summary.slotTypes[openedBySlot] }

  /// Whether a passphrase opened the file whose slot was made as the only one of its data key.
  ///
  /// Then whoever wrote the file knew the passphrase, or was told it, or the data key, by somebody who did; for
  /// a file with other keys, or that once had some, it is false (Spec/seal.md, section 4.2).
  public let isPassphraseOnly: Bool

  /// The length of the plaintext, in bytes.
  public var plaintextLength: Int { payload.layout.plaintextLength }

  let source: SealedSource
  let path: String?
  let payload: SealedPayload
  let policy: SealPolicy

  init(
    source: SealedSource, path: String?, identities: [SealIdentity], context: [UInt8],
    expecting expectation: SealExpectation, policy: SealPolicy
  ) throws(SealError) {
    let header = try source.header(policy: policy)
    let unlocked = try UnlockedHeader(
      header, identities: identities, context: context, policy: policy)
    self.source = source
    self.path = path
    self.policy = policy
    let content = try unlocked.verifiedContent(in: source, expecting: expectation, policy: policy)
    summary = SealedFileSummary(header, contentDigest: content.payload.tree?.contentDigest)
    freshness = content.freshness
    signer = content.signer
    generation = unlocked.metadata.generation
    creator = unlocked.metadata.creator
    openedBySlot = unlocked.slot
    isPassphraseOnly = header.slots[unlocked.slot].isSole
    payload = content.payload
  }
}
