extension SealedFile {
  /// Changes who can open a file, and nothing else: the data key stays, and the sealed bytes of the
  /// content are copied without opening them.
  ///
  /// The file is replaced durably, or left as it was. This takes little more time than copying the
  /// file, and where the file system can share blocks, hardly any.
  ///
  /// Every slot must be accounted for: by `removing`, by `keeping`, or by being the one that opens the file. Slots are
  /// not signed, and whoever once had the data key can have planted one; so look at what the report says was kept, and
  /// keep what you cannot name only where you have a reason to. The signature of a signed file stays valid.
  ///
  /// A recipient that is removed can no longer open the file. It does not forget, however: whoever
  /// could open the file before may have kept its data key, or a copy of the file, and with either
  /// can read this content. To shut somebody out of what is written from now on, seal again without
  /// them, or call ``reseal(_:with:for:dropping:options:signingKey:dropsSignature:signsUnsigned:context:expecting:policy:progress:)``, which changes
  /// the data key; nothing takes back what they have copied already.
  ///
  /// - Parameters:
  ///   - path: The path of a sealed file.
  ///   - identities: What opens the file as it is.
  ///   - newcomers: Who is to have a slot as well; their slots come last. A file keeps between 1 and 32 slots.
  ///   - removing: Whose slots go. To put a new passphrase in place of an old one, add the one and remove the other.
  ///   - keeping: Who is to have a slot as before, besides the one that opens the file. Of a recipient the slot is
  ///     written anew, so that nobody's is taken for it; the slot of an index stays as it is.
  ///   - keepsUnnamedSlots: Whether slots that nobody has named stay, too, those of unknown types included.
  ///   - context: The bytes that were passed as ``SealOptions/context``; they stay the same.
  ///   - expectation: What is known of the file from elsewhere, so that another one that was put in its place is left
  ///     alone.
  ///   - allowsMixedPassphrase: Whether a passphrase may stand beside other keys afterwards; asked
  ///     for only when somebody gets a slot.
  ///   - policy: What the reader is willing to work on; for each passphrase in the lists it limits the cost of finding
  ///     its slot.
  ///   - progress: What is told of the progress, and can cancel.
  /// - Returns: What anyone can read of the file now, and which slots were kept.
  /// - Throws: ``SealError``: as ``open(_:with:context:expecting:policy:)`` does; `noSuchSlot` when a selection
  ///   means no slot; `missingRecipient` with the index of a slot that nobody has named; `invalidKeys` when a recipient
  ///   has a slot already, no slot would be left, or a passphrase's sole slot would not be the only one;
  ///   `changedMeanwhile` when somebody else replaced the file.
  @discardableResult
  public static func rewrap(
    _ path: String, with identities: [SealIdentity], adding newcomers: [SealRecipient] = [],
    removing: [SealSlotSelection] = [], keeping: [SealSlotSelection] = [],
    keepsUnnamedSlots: Bool = false, context: [UInt8] = [],
    expecting expectation: SealExpectation = .nothing, allowsMixedPassphrase: Bool = false,
    policy: SealPolicy = .default,
    progress: SealProgress.Observer? = nil
  ) throws(SealError) -> SealRewrapReport {
    do throws(SealError) {
      let old = try FileUnderChange(path, with: identities, context: context, policy: policy)
      let unlocked = old.unlocked
      let content = try unlocked.verifiedContent(
        in: old.source, expecting: expectation, policy: policy)
      let (header, slots) = try unlocked.rewrapped(
        adding: newcomers, removing: removing, keeping: keeping,
        keepsUnnamedSlots: keepsUnnamedSlots, allowsMixedPassphrase: allowsMixedPassphrase,
        policy: policy)
      let pending = try PendingFile(at: path)
      try pending.copyPayload(
        of: old.file, from: unlocked.header, to: header,
        progress: ProgressReport(
          total: Int(clamping: header.preamble.payloadLength), observer: progress))
      try pending.replaceTarget(expecting: old.status)
      withExtendedLifetime(old) {}
      let summary = SealedFileSummary(header, contentDigest: content.payload.tree?.contentDigest)
      return SealRewrapReport(summary, slots)
    } catch {
      throw error.at(path)
    }
  }
}

/// Which slot of a sealed file is meant.
public enum SealSlotSelection: Sendable {
  /// The slot that was written for a recipient.
  ///
  /// A raw key or a passphrase is found by its slot's commitment, an X25519 recipient by its hint.
  case recipient(SealRecipient)
  /// The slot with an index, as ``SealedFileSummary/slotTypes`` counts them; for recipients whose
  /// key is not at hand.
  case slot(Int)
}

/// What a change of slots has left in a file.
public struct SealRewrapReport: Sendable, Equatable {
  /// What anyone can read of the file now.
  public let summary: SealedFileSummary

  /// The slots whose recipients have one as before, by the indices that they had; now they are the first ones, in this
  /// order.
  public let keptSlots: [Int]

  /// Those of them that the caller has not named, nor opened the file with: nobody knows for whom they are, and
  /// somebody who once had a key may have planted them.
  public let unnamedSlots: [Int]

  /// The indices, before the change, of further slots that bore the mark of a recipient who was named: a recipient
  /// has one, so somebody has planted them, and they were removed.
  public let plantedSlots: [Int]

  init(_ summary: SealedFileSummary, _ slots: RevisedSlots) {
    self.summary = summary
    keptSlots = slots.kept
    unnamedSlots = slots.unnamed
    plantedSlots = slots.planted
  }
}

extension SealedHeader {
  /// The same header with other slots: everything that the chunks depend on stays.
  func replacingSlots(
    _ slots: [Slot], mac: (ArraySlice<UInt8>) throws(SealError) -> [UInt8]
  ) throws(SealError) -> SealedHeader {
    var preamble = preamble
    preamble.slotCount = slots.count
    return try SealedHeader(
      preamble: preamble, slots: slots, publicMetadata: publicMetadata,
      encryptedMetadata: encryptedMetadata, mac: mac)
  }
}
