extension SealedFile {
  /// Seals what a closure makes of a file's content in its place.
  ///
  /// The new file has a new data key, exactly the given recipients, the next generation, and the chunk
  /// size, context, public metadata and creator of the old one. It replaces the old file durably, or
  /// that is left as it was. Every slot of the old file must be accounted for by a recipient.
  ///
  /// - Parameters:
  ///   - path: The path of a sealed file.
  ///   - identities: What opens the file as it is.
  ///   - recipients: The full list of those who can open it from now on.
  ///   - dropsOthers: Whether slots that no recipient accounts for may be lost.
  ///   - signingKey: What signs the new file.
  ///   - dropsSignature: Whether a signed file may become one that is not, or one that is signed anew although
  ///     nothing says who signed the content so far.
  ///   - context: The bytes that were passed as ``SealOptions/context`` when the file was sealed.
  ///   - expectation: What is known of the file from elsewhere, so that another one that was put in its place is left
  ///     alone.
  ///   - policy: What the reader is willing to work on.
  ///   - body: Makes the new content, or gives nil to leave the file as it is, and a result.
  /// - Returns: The result of `body`, when the new file has reached stable storage.
  /// - Throws: What `body` throws; ``SealError`` as
  ///   ``reseal(_:with:for:dropping:options:signingKey:dropsSignature:context:expecting:policy:progress:)`` does.
  /// - Complexity: O(*n*) time, and memory for both contents.
  public static func replaceContent<Result>(
    of path: String, with identities: [SealIdentity], for recipients: [SealRecipient],
    dropsOthers: Bool = false, signingKey: SealSigningKey? = nil, dropsSignature: Bool = false,
    context: [UInt8] = [], expecting expectation: SealExpectation = .nothing,
    policy: SealPolicy = .default,
    by body: ([UInt8]) throws -> (content: [UInt8]?, result: Result)
  ) throws -> Result {
    do {
      let (file, status) = try FileLocation(path).openRegularFile()
      let source = SealedSource.file(file, path: path, size: status.size)
      let unlocked = try UnlockedHeader(
        source.header(policy: policy), identities: identities, context: context, policy: policy)
      var options = unlocked.options(context: context)
      options.signingKey = signingKey
      let policy = try unlocked.changePolicy(policy, options, dropsSignature: dropsSignature)
      let payload = try unlocked.verifiedContent(
        in: source, expecting: expectation, policy: policy
      ).payload
      if !dropsOthers {
        try unlocked.requireAccounted(recipients, dropping: [], policy: policy)
      }
      let old = try content(of: payload, from: source, policy: policy)
      let (content, result) = try body(old)
      guard let content else { return result }
      guard options.generation < .max else {
        throw SealError(.limitExceeded, detail: "a generation after the highest that there is")
      }
      options.generation += 1
      options.threadCount = policy.threadCount
      try replace(path, expecting: status, with: content.span, for: recipients, options)
      // Open until now, so that its inode cannot have gone to another file.
      withExtendedLifetime(file) {}
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
    return try payload.read(
      0..<length, from: source, threads: policy.resolvedThreadCount,
      progress: ProgressReport(total: length, observer: nil))
  }

  private static func replace(
    _ path: String, expecting status: FileStatus, with content: Span<UInt8>,
    for recipients: [SealRecipient], _ options: SealOptions
  ) throws(SealError) {
    let plan = try SealPlan(recipients: recipients, options: options)
    let header = try plan.header(plaintextLength: content.count)
    let pending = try PendingFile(at: path)
    try pending.write(header.bytes, at: 0)
    let payload = plan.payload(plaintextLength: content.count, file: pending.file)
    try payload.seal(
      content, into: pending.file, threads: options.resolvedThreadCount,
      progress: ProgressReport(total: content.count, observer: nil))
    _ = try pending.complete(payload, of: plan, header: header, expecting: status)
  }
}
