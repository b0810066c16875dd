public import KeepsakeFiles

extension SealedFile {
  /// Changes who can open a file, and nothing else: the data key stays, and the sealed content is copied
  /// without being opened.
  ///
  /// The file is replaced durably or left unchanged. This takes little more time than copying the file, and
  /// hardly any if the file system can share blocks.
  ///
  /// Each slot must be accounted for: by `removing`, by `keeping`, or because it opens the file. Slots are
  /// not signed, and anyone who once had the data key can have planted one. So check the kept slots in the
  /// report, and keep unnamed slots only for a good reason. The signature of a signed file stays valid.
  ///
  /// A removed recipient can no longer open the file. But anyone who could open it before may have stored its
  /// data key or a copy of the file, and can still read this content with either. To shut them out of future
  /// content, call
  /// ``reseal(_:with:for:dropping:options:signingKey:dropsSignature:signsUnsigned:context:expecting:policy:progress:)``,
  /// which changes the data key, or seal again without them. Nothing takes back what they have copied
  /// already.
  ///
  /// - Parameters:
  ///   - path: The path of a sealed file.
  ///   - identities: The keys that open the file.
  ///   - newcomers: The recipients to add; their slots come last. A file has between 1 and 32 slots.
  ///   - removing: The slots to remove. To replace a passphrase, add the new one and remove the old one.
  ///   - keeping: The slots to keep, besides the one that opens the file. The slot of a named recipient is
  ///     rewritten, so that it is certainly theirs; a slot that is named by its index stays unchanged.
  ///   - keepsUnnamedSlots: True when slots that the caller does not name stay too, including those of
  ///     unknown types.
  ///   - context: The bytes that were passed as ``SealOptions/context``; they stay the same.
  ///   - expectation: The version that the caller expects; another file is left unchanged.
  ///   - allowsMixedPassphrase: True when the new file may have a passphrase beside other keys; checked only
  ///     when a recipient is added.
  ///   - policy: The limits of the reader, including the cost of finding the slot of each passphrase in the
  ///     lists.
  ///   - progress: Receives the progress, and can cancel.
  /// - Returns: The public part of the new header, and the slots that were kept.
  /// - Throws: ``SealError`` as ``open(_:with:context:expecting:policy:)`` does; `noSuchSlot` when a
  ///   selection matches no slot; `missingRecipient` with the index of a slot that is not accounted for;
  ///   `invalidKeys` when a recipient has a slot already, when no slot would be left, or when a sole
  ///   passphrase slot would not stay alone; `changedMeanwhile` when another writer replaced the file.
  @discardableResult
  public static func rewrap(
    _ path: some FilePathConvertible, with identities: [SealIdentity],
    adding newcomers: [SealRecipient] = [],
    removing: [SealSlotSelection] = [], keeping: [SealSlotSelection] = [],
    keepsUnnamedSlots: Bool = false, context: [UInt8] = [],
    expecting expectation: SealExpectation = .nothing, allowsMixedPassphrase: Bool = false,
    policy: SealPolicy = SealPolicy(),
    progress: SealProgress.Observer? = nil
  ) throws(SealError) -> SealRewrapReport {
    let path = path.filePath
    do throws(SealError) {
      let old = try FileUnderChange(path, with: identities, context: context, policy: policy)
      let unlocked = old.unlocked
      let (header, report) = try unlocked.rewrapped(
        in: old.source, adding: newcomers, removing: removing, keeping: keeping,
        keepsUnnamedSlots: keepsUnnamedSlots, expecting: expectation,
        allowsMixedPassphrase: allowsMixedPassphrase, policy: policy)
      let pending = try callingFiles { () throws(FileError) in try PendingFile(at: path) }
      try pending.copyPayload(
        of: old.file, from: unlocked.header, to: header,
        progress: ProgressReport(
          total: Int(clamping: header.preamble.payloadLength), observer: progress))
      try callingFiles { () throws(FileError) in
        try pending.replaceTarget(expecting: old.status)
      }
      withExtendedLifetime(old) {}
      return report
    } catch {
      throw error.at(path)
    }
  }

  /// Makes the header of a file with other slots, for a place in which the content stays where it is.
  ///
  /// The header replaces the bytes before the content. The parameters and the errors are those of
  /// ``rewrap(_:with:adding:removing:keeping:keepsUnnamedSlots:context:expecting:allowsMixedPassphrase:policy:progress:)``.
  package static func rewrappedHeader(
    of source: any SealedFileSource, with identities: [SealIdentity],
    adding newcomers: [SealRecipient], removing: [SealSlotSelection],
    keeping: [SealSlotSelection], keepsUnnamedSlots: Bool, context: [UInt8]
  ) throws(SealError) -> RewrappedHeader {
    let (source, policy) = (SealedSource.custom(source), SealPolicy())
    let unlocked = try UnlockedHeader(
      source.header(policy: policy), identities: identities, context: context, policy: policy)
    let (header, report) = try unlocked.rewrapped(
      in: source, adding: newcomers, removing: removing, keeping: keeping,
      keepsUnnamedSlots: keepsUnnamedSlots, expecting: .nothing, allowsMixedPassphrase: false,
      policy: policy)
    return RewrappedHeader(
      bytes: header.bytes, contentOffset: unlocked.header.bytes.count, report: report)
  }
}

/// The header of a sealed file with other slots.
package struct RewrappedHeader: Sendable {
  package let bytes: [UInt8]
  /// The offset of the content in the file, where the former header ends.
  package let contentOffset: Int
  /// The public part of the new header, and the slots that were kept.
  package let report: SealRewrapReport
}

extension UnlockedHeader {
  /// The header with other slots of a file that is the expected one.
  fileprivate func rewrapped(
    in source: SealedSource, adding newcomers: [SealRecipient], removing: [SealSlotSelection],
    keeping: [SealSlotSelection], keepsUnnamedSlots: Bool, expecting expectation: SealExpectation,
    allowsMixedPassphrase: Bool, policy: SealPolicy
  ) throws(SealError) -> (header: SealedHeader, report: SealRewrapReport) {
    let content = try verifiedContent(in: source, expecting: expectation, policy: policy)
    let (header, slots) = try rewrapped(
      adding: newcomers, removing: removing, keeping: keeping,
      keepsUnnamedSlots: keepsUnnamedSlots, allowsMixedPassphrase: allowsMixedPassphrase,
      policy: policy)
    let summary = SealedFileSummary(header, contentDigest: content.payload.tree?.contentDigest)
    return (header, SealRewrapReport(summary, slots))
  }
}

/// Selects a slot of a sealed file.
public enum SealSlotSelection: Sendable {
  /// The slot that was written for a recipient.
  ///
  /// A raw key or a passphrase is found by its slot's commitment, an X25519 recipient by its hint.
  case recipient(SealRecipient)
  /// The slot with an index into ``SealedFileSummary/slotTypes``; for recipients whose key is not at hand.
  case slot(Int)
}

/// The result of a change of slots.
public struct SealRewrapReport: Sendable, Equatable {
  /// The public part of the new header.
  public let summary: SealedFileSummary

  /// The slots that were kept, by their old indices; in the new file they come first, in this order.
  public let keptSlots: [Int]

  /// The kept slots that the caller did not name and that did not open the file.
  ///
  /// Their recipients are unknown, and a former holder of a key may have planted them.
  public let unnamedSlots: [Int]

  /// The old indices of extra slots with the mark of a named recipient.
  ///
  /// A recipient has one slot, so these were planted; they were removed.
  public let plantedSlots: [Int]

  init(_ summary: SealedFileSummary, _ slots: RevisedSlots) {
    self.summary = summary
    keptSlots = slots.kept
    unnamedSlots = slots.unnamed
    plantedSlots = slots.planted
  }
}

extension SealedHeader {
  /// The same header with other slots; everything that the chunks depend on stays.
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
