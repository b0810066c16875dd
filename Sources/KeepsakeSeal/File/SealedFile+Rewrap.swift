extension SealedFile {
  /// Changes who can open a file, and nothing else: the data key stays, and the sealed bytes of the
  /// content are copied without opening them.
  ///
  /// The file is replaced durably, or left as it was. This takes little more time than copying the
  /// file, and where the file system can share blocks, hardly any.
  ///
  /// Every slot must be accounted for: by `changes`, by `keeping`, or by being the one that opens the file. Slots are
  /// not signed, and whoever once had the data key can have planted one; so look at what the report says was kept, and
  /// keep what you cannot name only where you have a reason to. The signature of a signed file stays valid.
  ///
  /// A recipient that is removed can no longer open the file. It does not forget, however: whoever
  /// could open the file before may have kept its data key, or a copy of the file, and with either
  /// can read this content. To shut somebody out of what is written from now on, seal again without
  /// them, or call ``reseal(_:with:for:dropping:options:signingKey:dropsSignature:context:policy:progress:)``, which changes
  /// the data key; nothing takes back what they have copied already.
  ///
  /// - Parameters:
  ///   - path: The path of a sealed file.
  ///   - identities: What opens the file as it is.
  ///   - changes: What to change. Slots are selected as they are before any change; new ones come
  ///     last. A file keeps between 1 and 32 slots.
  ///   - keeping: The slots that are to stay as they are, besides the one that opens the file.
  ///   - keepsUnnamedSlots: Whether slots that nobody has named stay, too, those of unknown types included.
  ///   - context: The bytes that were passed as ``SealOptions/context``; they stay the same.
  ///   - allowsMixedPassphrase: Whether a passphrase may stand beside other keys afterwards; asked
  ///     for only when `changes` has a new recipient.
  ///   - policy: What the reader is willing to work on; for each passphrase in `changes` and `keeping` it limits the
  ///     cost of finding its slot.
  ///   - progress: What is told of the progress, and can cancel.
  /// - Returns: What anyone can read of the file now, and which slots were kept.
  /// - Throws: ``SealError``: as ``open(_:with:context:expecting:policy:)`` does; `noSuchSlot` when a selection
  ///   means no slot; `missingRecipient` with the index of a slot that nobody has named; `invalidKeys` when a recipient
  ///   has a slot already, no slot would be left, or a passphrase's sole slot would not be the only one;
  ///   `changedMeanwhile` when somebody else replaced the file.
  @discardableResult
  public static func rewrap(
    _ path: String, with identities: [SealIdentity], changes: [SealSlotChange],
    keeping: [SealSlotSelection] = [], keepsUnnamedSlots: Bool = false, context: [UInt8] = [],
    allowsMixedPassphrase: Bool = false, policy: SealPolicy = .default,
    progress: SealProgress.Observer? = nil
  ) throws(SealError) -> SealRewrapReport {
    do throws(SealError) {
      let (file, status) = try FileLocation(path).openRegularFile()
      let source = SealedSource.file(file, path: path, size: status.size)
      let unlocked = try UnlockedHeader(
        source.header(policy: policy), identities: identities, context: context, policy: policy)
      let (header, kept) = try unlocked.rewrapped(
        changes, keeping: keeping, keepsUnnamedSlots: keepsUnnamedSlots,
        allowsMixedPassphrase: allowsMixedPassphrase, policy: policy)
      let content = try unlocked.verifiedContent(in: source, policy: policy)
      let pending = try PendingFile(at: path)
      try pending.copyPayload(
        of: file, from: unlocked.header, to: header,
        progress: ProgressReport(
          total: Int(clamping: header.preamble.payloadLength), observer: progress))
      try pending.replaceTarget(expecting: status)
      // Open until now, so that its inode cannot have gone to another file.
      withExtendedLifetime(file) {}
      let summary = SealedFileSummary(header, contentDigest: content.payload.tree?.contentDigest)
      return SealRewrapReport(summary: summary, keptSlots: kept)
    } catch {
      throw error.at(path)
    }
  }
}

extension UnlockedHeader {
  /// The header with other slots, and a MAC that fits them.
  func rewrapped(
    _ changes: [SealSlotChange], keeping: [SealSlotSelection], keepsUnnamedSlots: Bool,
    allowsMixedPassphrase: Bool, policy: SealPolicy
  ) throws(SealError) -> (SealedHeader, [SealRewrapReport.KeptSlot]) {
    try header.requireAffordable(
      changes.count(where: \.needsPassphrase) + keeping.count(where: \.needsPassphrase),
      policy: policy)
    var named: Set<Int> = [slot]
    for selection in keeping { named.formUnion(try self.slots(selection)) }
    var slots: [Slot?] = header.slots
    var newcomers: [(recipient: SealRecipient, slot: Int?)] = []
    var touched: Set<Int> = []
    func take(_ selection: SealSlotSelection) throws(SealError) -> Int {
      let indices = try self.slots(selection)
      for index in indices {
        guard touched.insert(index).inserted else {
          throw SealError(.invalidKeys, slotIndex: index, detail: "slot \(index) is changed twice")
        }
        slots[index] = nil
      }
      return indices[0]
    }
    for change in changes {
      switch change {
      case .add(let recipient): newcomers.append((recipient, nil))
      case .remove(let selection): _ = try take(selection)
      case .replace(let selection, let recipient):
        newcomers.append((recipient, try take(selection)))
      }
    }
    let kept = try keptSlots(slots, named: named, touched: touched, keepsUnnamedSlots)
    try requireNew(newcomers.map(\.recipient), beside: slots)
    let isSole = try requireSoleSlotReplaced(by: newcomers.map(\.recipient), beside: slots)
    for (recipient, index) in newcomers {
      let slot = try Slot(
        wrapping: dataKey, for: recipient, fileID: fileID, randomness: .fresh(for: recipient),
        isSole: isSole)
      if let index { slots[index] = slot } else { slots.append(slot) }
    }
    let result = slots.compactMap(\.self)
    try SlotRules.check(
      result.map(\.type), allowsMixedPassphrase: allowsMixedPassphrase || newcomers.isEmpty)
    return (try header.replacingSlots(result, mac: schedule.headerMAC(of:)), kept)
  }

  /// Section 8.4: what is kept is reported, and refused when nobody has named it.
  private func keptSlots(
    _ slots: [Slot?], named: Set<Int>, touched: Set<Int>, _ keepsUnnamedSlots: Bool
  ) throws(SealError) -> [SealRewrapReport.KeptSlot] {
    var kept: [SealRewrapReport.KeptSlot] = []
    for (index, slot) in slots.enumerated() {
      // The slot that opens the file may be changed as well as kept.
      guard !touched.contains(index) || !named.contains(index) || index == self.slot else {
        throw SealError(
          .invalidKeys, slotIndex: index, detail: "slot \(index) is both kept and changed")
      }
      guard let slot else { continue }
      guard named.contains(index) || keepsUnnamedSlots else {
        throw SealError(
          .missingRecipient, slotIndex: index, detail: "slot \(index), \(slot.type)")
      }
      kept.append(
        SealRewrapReport.KeptSlot(index: index, type: slot.type, isNamed: named.contains(index)))
    }
    return kept
  }

  /// Section 8.4: whoever gets a slot beside, or after, a sole one learns the data key that older copies of the
  /// sole slot wrap, and could make files that seem to be for the passphrase alone.
  ///
  /// Returns whether the new slots are sole in turn.
  private func requireSoleSlotReplaced(
    by recipients: [SealRecipient], beside slots: [Slot?]
  ) throws(SealError) -> Bool {
    guard let index = header.slots.firstIndex(where: \.isSole) else { return false }
    let isReplaced =
      recipients.count == 1 && recipients[0].slotType == .passphrase
      && slots.compactMap(\.self).isEmpty
    guard recipients.isEmpty || isReplaced else {
      throw SealError(
        .invalidKeys, slotIndex: index,
        detail:
          "a file that was sealed for a passphrase alone can only get another passphrase; seal it "
          + "again for others")
    }
    return true
  }

  /// Section 4: no two slots for one recipient.
  private func requireNew(
    _ recipients: [SealRecipient], beside slots: [Slot?]
  ) throws(SealError) {
    for (index, recipient) in recipients.enumerated() {
      var isNew = !recipients[..<index].contains { $0.isSame(as: recipient) }
      for case .some(let slot) in slots where isNew {
        isNew = try !slot.isFor(recipient, dataKey: dataKey, fileID: fileID)
      }
      guard isNew else {
        throw SealError(.invalidKeys, detail: "a recipient would have two slots")
      }
    }
  }
}

extension SealSlotChange {
  /// Whether finding the slots that it means, or those of its newcomer, takes a passphrase.
  fileprivate var needsPassphrase: Bool {
    switch self {
    case .add(let recipient): recipient.slotType == .passphrase
    case .remove(let selection): selection.needsPassphrase
    case .replace(let old, with: let new):
      old.needsPassphrase || new.slotType == .passphrase
    }
  }
}

extension SealSlotSelection {
  /// Whether finding the slot takes a passphrase.
  fileprivate var needsPassphrase: Bool {
    if case .recipient(.passphrase) = self { true } else { false }
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
