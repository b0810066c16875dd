#if Remote
  import Keepsake

  /// Writes an object of unknown length: by one request if it fits into one part, and otherwise by a multipart upload.
  ///
  /// The header of the object is known only at the end, so the first part stays in memory until then.
  struct PartWriter {
    /// The lengths in bytes that the protocol allows for all parts but the last.
    static let partByteCounts = 5 << 20...5 << 30

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

    /// The number of bytes that the server has acknowledged so far.
    var uploadedByteCount: Int { parts?.upload.byteCount ?? 0 }

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
    /// The condition is compared here, and by the server too when all bytes fit into one part.
    mutating func finish(
      header: [UInt8], if condition: ObjectCondition
    ) throws(RemoteError) -> ObjectVersion {
      guard let (upload, first, _) = parts else {
        // A store may ignore the condition, or refuse it.
        try object.check(condition, cancellation)
        let bytes = header + rest
        do throws(RemoteError) {
          return try object.putNow(bytes, if: condition, cancellation)
        } catch {
          guard error.code == .conditionsUnsupported else { throw error }
          return try object.putNow(bytes, if: .always, cancellation)
        }
      }
      try self.upload(rest)
      rest = []
      let part = header + first
      try upload.upload(part, asPart: 1, cancellation)
      return try upload.complete(
        beginning: part, byteCount: byteCount, checking: condition, cancellation)
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
