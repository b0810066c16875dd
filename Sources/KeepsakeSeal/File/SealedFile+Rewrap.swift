extension SealedFile {
  /// Changes who can open a file, and nothing else: the data key stays, and the sealed bytes of the
  /// content are copied without opening them.
  ///
  /// The file is replaced durably, or left as it was. This takes little more time than copying the
  /// file, and where the file system can share blocks, hardly any.
  ///
  /// A recipient that is removed can no longer open the file. It does not forget, however: whoever
  /// could open the file before may have kept its data key, or a copy of the file, and with either
  /// can read this content. To shut somebody out of what is written from now on, seal again without
  /// them, or call ``reseal(_:with:for:dropping:options:context:policy:progress:)``, which changes
  /// the data key; nothing takes back what they have copied already.
  ///
  /// - Parameters:
  ///   - path: The path of a sealed file.
  ///   - identities: What opens the file as it is.
  ///   - changes: What to change. Slots are selected as they are before any change; new ones come
  ///     last. A file keeps between 1 and 32 slots.
  ///   - context: The bytes that were passed as ``SealOptions/context``; they stay the same.
  ///   - allowsMixedPassphrase: Whether a passphrase may stand beside other keys afterwards; asked
  ///     for only when `changes` has a new recipient.
  ///   - policy: What the reader is willing to work on; for each passphrase in `changes` it limits the
  ///     cost of finding its slot.
  ///   - progress: What is told of the progress, and can cancel.
  /// - Returns: What anyone can read of the file now.
  /// - Throws: ``SealError``: as ``open(_:with:context:expecting:policy:)`` does; `noSuchSlot` when a selection
  ///   means no slot; `invalidKeys` when a recipient has a slot already, or no slot would be left;
  ///   `changedMeanwhile` when somebody else replaced the file.
  @discardableResult
  public static func rewrap(
    _ path: String, with identities: [SealIdentity], changes: [SealSlotChange],
    context: [UInt8] = [], allowsMixedPassphrase: Bool = false, policy: SealPolicy = .default,
    progress: SealProgress.Observer? = nil
  ) throws(SealError) -> SealedFileSummary {
    do throws(SealError) {
      let (file, status) = try FileLocation(path).openRegularFile()
      let source = SealedSource.file(file, path: path, size: status.size)
      let unlocked = try UnlockedHeader(
        source.header(policy: policy), identities: identities, context: context, policy: policy)
      let header = try unlocked.rewrapped(
        changes, allowsMixedPassphrase: allowsMixedPassphrase, policy: policy)
      let pending = try PendingFile(at: path)
      try pending.copyPayload(
        of: file, from: unlocked.header, to: header,
        progress: ProgressReport(
          total: Int(clamping: header.preamble.payloadLength), observer: progress))
      try pending.replaceTarget(expecting: status)
      // Open until now, so that its inode cannot have gone to another file.
      withExtendedLifetime(file) {}
      return try SealedFileSummary(header)
    } catch {
      throw error.at(path)
    }
  }
}

extension UnlockedHeader {
  /// The header with other slots, and a MAC that fits them.
  func rewrapped(
    _ changes: [SealSlotChange], allowsMixedPassphrase: Bool, policy: SealPolicy
  ) throws(SealError) -> SealedHeader {
    try header.requireAffordable(changes.count(where: \.needsPassphrase), policy: policy)
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
    return try header.replacingSlots(result, mac: schedule.headerMAC(of:))
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
    case .add(let recipient), .replace(.slot, with: let recipient):
      recipient.slotType == .passphrase
    case .remove(.recipient(let recipient)): recipient.slotType == .passphrase
    case .remove(.slot): false
    case .replace(.recipient(let old), with: let new):
      old.slotType == .passphrase || new.slotType == .passphrase
    }
  }
}

extension SealedHeader {
  /// The same header with other slots: everything that the chunks depend on stays.
  func replacingSlots(
    _ slots: [Slot], mac: ([UInt8]) throws(SealError) -> [UInt8]
  ) throws(SealError) -> SealedHeader {
    var preamble = preamble
    preamble.slotCount = slots.count
    return try SealedHeader(
      preamble: preamble, slots: slots, publicMetadata: publicMetadata,
      encryptedMetadata: encryptedMetadata, mac: mac)
  }
}
