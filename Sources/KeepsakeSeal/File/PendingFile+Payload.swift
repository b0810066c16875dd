import KeepsakeFiles

/// A sealed file that is being written; the length of its plaintext is known.
struct PendingSealedFile {
  let payload: SealedPayload
  private let pending: PendingFile
  private let plan: SealPlan
  private let header: SealedHeader

  /// The file that the payload is sealed into.
  var file: FileDescriptor { pending.file }

  init(at path: String, as plan: SealPlan, plaintextLength: Int) throws(SealError) {
    header = try plan.header(plaintextLength: plaintextLength)
    pending = try callingFiles { [header] () throws(FileError) in
      let pending = try PendingFile(at: path)
      try pending.write(header.bytes, at: 0)
      return pending
    }
    payload = plan.payload(plaintextLength: plaintextLength, file: pending.file)
    self.plan = plan
  }

  /// Replaces the file at the path, or only an expected file, once all chunks are sealed.
  func finish(replacing expected: FileStatus? = nil) throws(SealError) -> SealedFileSummary {
    try pending.complete(payload, of: plan, header: header, expecting: expected)
  }
}

/// A sealed file that is about to be changed, opened with one of its keys.
///
/// It stays open until the change is made, so that its inode cannot be given to another file.
final class FileUnderChange {
  let file: FileDescriptor
  let status: FileStatus
  let source: SealedSource
  let unlocked: UnlockedHeader

  init(
    _ path: String, with identities: [SealIdentity], context: [UInt8], policy: SealPolicy
  ) throws(SealError) {
    (file, status) = try callingFiles { () throws(FileError) in
      try FileLocation(path).openRegularFile()
    }
    source = .file(file, path: path, size: status.size)
    unlocked = try UnlockedHeader(
      source.header(policy: policy), identities: identities, context: context, policy: policy)
  }

  /// The content, verified as a new seal with `options` requires (Spec/replacement.md, section 5).
  func content(
    toSealBy options: SealOptions, dropsSignature: Bool, signsUnsigned: Bool,
    expecting expectation: SealExpectation, policy: SealPolicy
  ) throws(SealError) -> SealedPayload {
    let policy = try unlocked.changePolicy(
      policy, options, dropsSignature: dropsSignature, signsUnsigned: signsUnsigned)
    return try unlocked.verifiedContent(in: source, expecting: expectation, policy: policy).payload
  }
}

extension PendingFile {
  /// Writes the trailer, makes the file durable and replaces the file at the path.
  func complete(
    _ payload: SealedPayload, of plan: SealPlan, header: SealedHeader,
    expecting expected: FileStatus?
  ) throws(SealError) -> SealedFileSummary {
    let layout = payload.layout
    let completion = try plan.completion(
      of: payload.builder, header: header, plaintextLength: layout.plaintextLength)
    if let completion, layout.isSigned {
      try write(completion, at: layout.trailerOffset)
    }
    try callingFiles { () throws(FileError) in try replaceTarget(expecting: expected) }
    return SealedFileSummary(header, contentDigest: completion?.tree.contentDigest)
  }

  /// Writes the part of the trailer that has not been written yet.
  private func write(_ completion: SealCompletion, at offset: UInt64) throws(SealError) {
    let written = UInt64(completion.tree.writtenByteCount)
    if let spill = completion.tree.spill {
      let copied = try file.copy(written, of: spill, at: 0, to: offset) { _ in }
      guard copied == written else {
        throw SealError(.changedMeanwhile, detail: "some of its digests are gone")
      }
    }
    try callingFiles { () throws(FileError) in
      try write(completion.trailer.span, at: offset + written)
    }
  }

  /// Writes the header `new` in place of `old`, followed by the unchanged sealed bytes of the payload.
  ///
  /// If both headers have the same length and the file system can share blocks, all blocks are shared and the
  /// header is written over.
  func copyPayload(
    of source: FileDescriptor, from old: SealedHeader, to new: SealedHeader,
    progress: ProgressReport
  ) throws(SealError) {
    let layout = ChunkLayout(old.preamble)
    if old.bytes.count == new.bytes.count, file.clone(source) {
      guard
        try callingSystem({ () throws(SystemFailure) in try file.status().size })
          == layout.fileSize
      else { throw SealError(.changedMeanwhile) }
      try progress.report(layout.payloadLength)
    } else {
      let count = layout.fileSize - UInt64(old.bytes.count)
      let copied = try file.copy(
        count, of: source, at: UInt64(old.bytes.count), to: UInt64(new.bytes.count)
      ) { done throws(SealError) in
        try progress.report(min(Int(clamping: done), layout.payloadLength))
      }
      guard copied == count else {
        throw SealError(.truncated, detail: "it has become shorter")
      }
    }
    try callingFiles { () throws(FileError) in try write(new.bytes, at: 0) }
  }
}

/// Creates a nameless file for digests whose offset in the sealed file is not known yet.
///
/// The file is gone when it is closed.
struct SpillFile: Sendable {
  let directory: Directory
  let location: FileLocation

  func make() throws(SealError) -> FileDescriptor {
    try callingFiles { () throws(FileError) in
      if let file = try PendingFile.createNameless(in: directory, for: location) { return file }
      let (file, name) = try PendingFile.create(in: directory, for: location)
      try location.calling { () throws(SystemFailure) in try directory.remove(name) }
      return file
    }
  }
}
