/// An encrypted file, sealed by one call and opened by another.
///
/// Only a holder of one of its keys can read the content; a reader detects every change of the file. Spec/seal.md
/// describes the format, and says what the file reveals without a key.
///
/// ```swift
/// let key = try SealKey.create(at: "state.key")
/// try SealedFile.seal(
///   bytes.span, to: "state.sealed", for: [.key(key)])
/// let file = try SealedFile.open(
///   "state.sealed", with: [.key(key)])
/// let bytes = try file.read()
/// ```
///
/// An instance is an open file whose key was found and whose header is verified. Reads verify each chunk that
/// they touch before they return any of it. Several threads may read at once; the file is closed with the
/// last reference.
public final class SealedFile: Sendable {
  /// The public part of the header; it is verified.
  public let summary: SealedFileSummary

  /// The generation that the writer gave to this version.
  public let generation: UInt64

  /// The name of the writing program, as the writer stated it.
  public let creator: String

  /// How certain it is that this is the latest version of the file.
  public let freshness: SealFreshness

  /// The verified signer of the file; nil when ``SealPolicy/signature`` requires no signature, even if the file
  /// is signed.
  public let signer: SealSigner?

  /// The pin of this file: store it elsewhere, and expect it when you open the file the next time.
  ///
  /// It covers the content only if a signature, or a pin of the content, was verified when the file was opened.
  /// ``contentPin()`` makes a pin that always covers the content.
  public var pin: SealedFilePin { SealedFilePin(summary, generation: generation) }

  /// True when ``freshness`` also holds against attackers who have, or once had, a key of the file.
  ///
  /// Anyone with the data key of an earlier version can make a file of any generation that opens, unless the
  /// reader requires a signature of trusted signers (Spec/seal.md, section 7.3).
  public var freshnessHoldsAgainstKeyHolders: Bool {
    switch freshness {
    case .exact: true
    case .notOlder, .sameHeader:
      if case .trusted = policy.signature { true } else { false }
    case .unverified: false
    }
  }

  /// The index of the slot whose key opened the file.
  ///
  /// ``SealedFileSummary/slotTypes`` has its type. An app can refuse a file that has more slots than it expects.
  public let openedBySlot: Int

  /// The type of the slot whose key opened the file.
  package var openedBy: SealSlotType { summary.slotTypes[openedBySlot] }

  /// True when a passphrase opened the file and its slot was made as the only slot of the data key.
  ///
  /// Then the writer knew the passphrase or the data key, directly or from another person who did. It is
  /// false for a file that has, or once had, other keys (Spec/seal.md, section 4.2).
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
