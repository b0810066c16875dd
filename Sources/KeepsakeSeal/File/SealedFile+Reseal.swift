public import KeepsakeFiles

extension SealedFile {
  /// Seals the content of a file again, with a new data key, for exactly the given recipients.
  ///
  /// The file is replaced durably or left unchanged; its content is never on disk in the clear. Each slot of
  /// the file must belong to a recipient in the list or be named by `dropping`, so that a forgotten recipient
  /// is an error.
  ///
  /// The dropped recipients cannot open the new file, and a stored copy of the old data key does not open it
  /// either. Copies of the old file can still be opened with all of its old keys.
  ///
  /// - Parameters:
  ///   - path: The path of a sealed file.
  ///   - identities: The keys that open the old file.
  ///   - recipients: All recipients of the new file.
  ///   - dropping: The slots of the recipients that lose access.
  ///   - options: The options of the new seal; nil keeps chunk size, context, public metadata, generation,
  ///     creator and padding.
  ///   - signingKey: The key that signs the new file, when `options` has none.
  ///   - dropsSignature: True when the old signature may be dropped. The new file is then unsigned, or is signed
  ///     although the signer of the old content is not checked.
  ///   - signsUnsigned: True when an unsigned file may be signed. Any holder of a key may have written its
  ///     content.
  ///   - context: The bytes that were passed as ``SealOptions/context`` when the file was sealed.
  ///   - expectation: The version that the caller expects; another file is left unchanged.
  ///   - policy: The limits of the reader. They also bound the cost of finding the slots of the passphrases in
  ///     both lists.
  ///   - progress: Receives the progress, and can cancel.
  /// - Returns: The public part of the new file's header.
  /// - Throws: ``SealError`` as ``open(_:with:context:expecting:policy:)`` does; `missingRecipient` with the
  ///   index of a slot that is not accounted for; `signingKeyAbsent` when the file is signed and the new one
  ///   would not be; `signatureAbsent` when it is not signed and the new one would be; `damagedChunk`;
  ///   `changedMeanwhile` when the file was replaced meanwhile.
  @discardableResult
  public static func reseal(
    _ path: some FilePathConvertible, with identities: [SealIdentity],
    for recipients: [SealRecipient],
    dropping: [SealSlotSelection] = [], options: SealOptions? = nil,
    signingKey: SealSigningKey? = nil, dropsSignature: Bool = false, signsUnsigned: Bool = false,
    context: [UInt8] = [], expecting expectation: SealExpectation = .nothing,
    policy: SealPolicy = SealPolicy(), progress: SealProgress.Observer? = nil
  ) throws(SealError) -> SealedFileSummary {
    let path = path.filePath
    do throws(SealError) {
      let old = try FileUnderChange(path, with: identities, context: context, policy: policy)
      var options = options ?? old.unlocked.options(context: context)
      options.signingKey = options.signingKey ?? signingKey
      let payload = try old.content(
        toSealBy: options, dropsSignature: dropsSignature, signsUnsigned: signsUnsigned,
        expecting: expectation, policy: policy)
      try old.unlocked.requireAccounted(recipients, dropping: dropping, policy: policy)
      let length = payload.layout.plaintextLength
      let new = try PendingSealedFile(
        at: path, as: SealPlan(recipients: recipients, options: options), plaintextLength: length)
      try payload.reseal(
        from: old.source, as: new.payload, into: new.file, threads: options.resolvedThreadCount,
        progress: ProgressReport(total: length, observer: progress))
      let summary = try new.finish(replacing: old.status)
      withExtendedLifetime(old) {}
      return summary
    } catch {
      throw error.at(path)
    }
  }
}

extension UnlockedHeader {
  /// Refuses a slot that is neither for one of the recipients nor dropped, or that is both.
  func requireAccounted(
    _ recipients: [SealRecipient], dropping: [SealSlotSelection], policy: SealPolicy
  ) throws(SealError) {
    try requireAffordable(recipients + dropping.compactMap(\.recipient), policy: policy)
    var droppedSlots: Set<Int> = []
    for selection in dropping { droppedSlots.formUnion(try slots(selection)) }
    var keptSlots: Set<Int> = []
    for recipient in recipients { keptSlots.formUnion(try slots(of: recipient)) }
    for (index, slot) in header.slots.enumerated() {
      guard keptSlots.contains(index) || droppedSlots.contains(index) else {
        throw SealError(
          .missingRecipient, slotIndex: index, detail: "slot \(index), \(slot.type)")
      }
      guard !keptSlots.contains(index) || !droppedSlots.contains(index) else {
        throw SealError(
          .invalidKeys, slotIndex: index,
          detail: "the recipient of slot \(index) is both in the list and dropped")
      }
    }
  }

  /// The policy for the old file's signature before its content is sealed again (Spec/replacement.md, section
  /// 5).
  ///
  /// Refuses to drop a signature, and to sign an unsigned file, unless the caller requests it.
  func changePolicy(
    _ policy: SealPolicy, _ options: SealOptions, dropsSignature: Bool, signsUnsigned: Bool
  ) throws(SealError) -> SealPolicy {
    guard header.preamble.isSigned else {
      guard options.signingKey == nil || signsUnsigned else {
        throw SealError(
          .signatureAbsent, detail: "the new signature would vouch for its content")
      }
      return policy
    }
    guard !dropsSignature else { return policy }
    guard let signingKey = options.signingKey else { throw SealError(.signingKeyAbsent) }
    guard !policy.signature.isRequired else { return policy }
    // Otherwise the key would sign content that another holder of a key wrote.
    var policy = policy
    policy.signature = .trusted([signingKey.signer])
    return policy
  }

  /// The padding of the file; `.padme` also when it adds nothing to this length.
  private var padding: SealOptions.Padding {
    SealOptions.Padding.padme.paddedLength(metadata.plaintextLength)
      == header.preamble.payloadLength ? .padme : .none
  }

  /// The options of the old file.
  ///
  /// A passphrase beside other keys stays allowed if the old file has one.
  func options(context: [UInt8]) -> SealOptions {
    SealOptions(
      chunkSize: header.preamble.chunkSize, context: context,
      publicMetadata: header.publicMetadata, generation: metadata.generation,
      creator: metadata.creator, padding: padding,
      allowsMixedPassphrase: header.slots.count > 1 && header.slots.contains(where: \.isPassphrase))
  }
}

extension SealedFile {
  /// Replaces the content of a file by the result of a closure.
  ///
  /// The new file has a new data key, exactly the given recipients, the next generation, and the chunk size,
  /// context, public metadata and creator of the old one. It replaces the old file durably, or leaves it
  /// unchanged. Unless `dropsOthers` is true, each slot of the old file must belong to one of the
  /// recipients.
  ///
  /// - Parameters:
  ///   - path: The path of a sealed file.
  ///   - identities: The keys that open the old file.
  ///   - recipients: All recipients of the new file.
  ///   - dropsOthers: True when slots of other recipients may be dropped.
  ///   - signingKey: The key that signs the new file.
  ///   - dropsSignature: True when the old signature may be dropped. The new file is then unsigned, or is signed
  ///     although the signer of the old content is not checked.
  ///   - signsUnsigned: True when an unsigned file may be signed. Any holder of a key may have written its
  ///     content.
  ///   - context: The bytes that were passed as ``SealOptions/context`` when the file was sealed.
  ///   - expectation: The version that the caller expects; another file is left unchanged.
  ///   - policy: The limits of the reader.
  ///   - body: Returns the new content, or nil to leave the file unchanged, and a result.
  /// - Returns: The result of `body`, once the new file has reached stable storage.
  /// - Throws: Any error of `body`; ``SealError`` as
  ///   ``reseal(_:with:for:dropping:options:signingKey:dropsSignature:signsUnsigned:context:expecting:policy:progress:)``
  ///   does.
  /// - Complexity: O(*n*) time, and memory for both contents.
  public static func replaceContent<Result>(
    of path: some FilePathConvertible, with identities: [SealIdentity],
    for recipients: [SealRecipient],
    dropsOthers: Bool = false, signingKey: SealSigningKey? = nil, dropsSignature: Bool = false,
    signsUnsigned: Bool = false, context: [UInt8] = [],
    expecting expectation: SealExpectation = .nothing,
    policy: SealPolicy = SealPolicy(),
    by body: ([UInt8]) throws -> (content: [UInt8]?, result: Result)
  ) throws -> Result {
    let path = path.filePath
    do {
      let old = try FileUnderChange(path, with: identities, context: context, policy: policy)
      var options = old.unlocked.options(context: context)
      options.signingKey = signingKey
      let payload = try old.content(
        toSealBy: options, dropsSignature: dropsSignature, signsUnsigned: signsUnsigned,
        expecting: expectation, policy: policy)
      if !dropsOthers {
        try old.unlocked.requireAccounted(recipients, dropping: [], policy: policy)
      }
      let (content, result) = try body(
        try content(of: payload, from: old.source, policy: policy))
      guard let content else { return result }
      guard options.generation < .max else {
        throw SealError(.limitExceeded, detail: "its generation is the highest possible")
      }
      options.generation += 1
      options.threadCount = policy.threadCount
      let new = try PendingSealedFile(
        at: path, as: SealPlan(recipients: recipients, options: options),
        plaintextLength: content.count)
      try new.payload.seal(
        content.span, into: new.file, threads: options.resolvedThreadCount, progress: .none)
      _ = try new.finish(replacing: old.status)
      withExtendedLifetime(old) {}
      return result
    } catch let error as SealError {
      throw error.at(path)
    }
  }

  private static func content(
    of payload: SealedPayload, from source: SealedSource, policy: SealPolicy
  ) throws(SealError) -> [UInt8] {
    let length = payload.layout.plaintextLength
    try policy.requireReadable(length)
    return try payload.read(0..<length, from: source, threads: policy.resolvedThreadCount)
  }
}
