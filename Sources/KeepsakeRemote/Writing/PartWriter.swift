#if Remote
  import Keepsake

  /// Writes an object of unknown length: by one request if it fits into one part, and otherwise by a multipart upload.
  ///
  /// The header of the object comes last, so the first part stays in memory until the end.
  struct PartWriter {
    /// The lengths in bytes that the protocol allows for all parts but the last.
    static let partByteCounts = 5 << 20...5 << 30
    /// The bytes that are read back to see whether an upload was completed.
    private static let markByteCount = 4096

    private let object: RemoteObject
    private let headerByteCount: Int
    private let partByteCount: Int
    private let cancellation: Cancellation
    /// The upload and its first part without the header; nil while all bytes fit into one part.
    private var parts: (upload: MultipartUpload, first: [UInt8], count: Int)?
    /// The bytes that are in no part yet.
    private var rest: [UInt8] = []
    /// The number of bytes of the object so far, with its header.
    private var byteCount: Int

    init(
      _ object: RemoteObject, headerByteCount: Int, partByteCount: Int,
      _ cancellation: Cancellation
    ) throws(RemoteError) {
      guard Self.partByteCounts.contains(partByteCount), headerByteCount < partByteCount else {
        throw RemoteError(
          .requestRefused, "A part has 5 MiB to 5 GiB, and \(partByteCount) bytes were requested.",
          request: "POST \(object)")
      }
      self.object = object
      self.headerByteCount = headerByteCount
      self.partByteCount = partByteCount
      self.cancellation = cancellation
      byteCount = headerByteCount
    }

    /// Appends bytes, and uploads each part that is full.
    mutating func append(_ bytes: [UInt8]) throws(RemoteError) {
      guard !cancellation.isCancelled else {
        throw RemoteError(.cancelled, "The upload was cancelled.", request: "POST \(object)")
      }
      rest += bytes
      byteCount += bytes.count
      // A part is full only when more bytes follow, so the last part is never empty.
      while rest.count > room {
        let part = Array(rest[..<room])
        rest.removeFirst(room)
        if parts == nil { try begin(withPart: part) } else { try upload(part) }
      }
    }

    /// The length of the next part.
    private var room: Int { parts == nil ? partByteCount - headerByteCount : partByteCount }

    private mutating func begin(withPart first: [UInt8]) throws(RemoteError) {
      guard case .stored(let store, let key) = object.place else {
        throw RemoteError(
          .requestRefused,
          "A web server takes no object in parts. Allow parts as long as the object.",
          request: "POST \(object)")
      }
      parts = (try MultipartUpload(to: store, key: key, cancellation), first, 1)
    }

    private mutating func upload(_ bytes: [UInt8]) throws(RemoteError) {
      let number = (parts?.count ?? 0) + 1
      guard number <= MultipartUpload.partLimit else {
        throw RemoteError(
          .requestRefused,
          "The object has more than \(MultipartUpload.partLimit) parts of \(partByteCount) bytes. Allow longer parts.",
          request: "PUT \(object)")
      }
      parts?.count = number
      try parts?.upload.upload(bytes, asPart: number, cancellation)
    }

    /// Makes the object: the header, and the bytes that were appended.
    ///
    /// The condition is compared before the object is made, and not by the server.
    mutating func finish(
      header: [UInt8], checking condition: ObjectCondition
    ) throws(RemoteError) -> ObjectVersion {
      guard let first = parts?.first else {
        try check(condition)
        return try object.putNow(header + rest, if: .always, cancellation)
      }
      try upload(rest)
      rest = []
      let part = header + first
      try parts?.upload.upload(part, asPart: 1, cancellation)
      try check(condition)
      return try complete(mark: Array(part.prefix(Self.markByteCount)))
    }

    private func check(_ condition: ObjectCondition) throws(RemoteError) {
      let expected: ObjectVersion?
      switch condition {
      case .always: return
      case .absent: expected = nil
      case .version(let version): expected = version
      }
      guard try object.versionNow(cancellation) == expected else {
        throw RemoteError(
          .changedMeanwhile, "Another writer was faster. The object was not written.",
          request: "POST \(object)")
      }
    }

    /// Completes the upload; `mark` is the start of the object, which no other version of it has.
    private func complete(mark: [UInt8]) throws(RemoteError) -> ObjectVersion {
      let failure: RemoteError
      do throws(RemoteError) {
        switch try parts?.upload.complete(cancellation) {
        case .done(let version) where version.isUsable: return version
        case .done, nil:
          failure = RemoteError(
            .changedMeanwhile, "Another writer has replaced the object since it was written.",
            request: "GET \(object)")
        case .refused(let refusal, let attemptCount):
          guard attemptCount > 1 else { throw refusal }
          failure = refusal
        }
      } catch {
        guard error.leavesOutcomeOpen else { throw error }
        failure = error
      }
      // The object tells whether the upload was completed, and what its version is.
      let found: RemoteObject.Part
      do throws(RemoteError) {
        // The task of the caller may be cancelled, and the answer decides what the caller may believe.
        found = try object.getNow(0..<mark.count, Cancellation())
      } catch {
        if error.code == .absent { throw failure }
        throw RemoteError(
          .outcomeUnknown,
          "No answer arrived, and the object could not be read back, so it may or may not have been written. Read it "
            + "before you write it again.", request: "POST \(object)", status: failure.status,
          underlyingError: failure)
      }
      guard found.bytes == mark, found.objectByteCount == byteCount else { throw failure }
      return found.version
    }

    /// Removes the parts that were uploaded, as far as the server can be reached.
    func discard() {
      do throws(RemoteError) {
        try parts?.upload.discard()
      } catch {
        // The error that ended the upload is the one to report. A lifecycle rule removes the parts.
      }
    }
  }
#endif
