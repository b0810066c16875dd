#if Remote
  public import Keepsake

  /// Seals a stream whose length is not known into an object, in bounded memory.
  ///
  /// ``RemoteObject/seal(for:options:if:writers:partByteCount:_:)`` makes one and completes it. It is also a sink of
  /// archives:
  ///
  /// ```swift
  /// try await object.seal(for: [.key(key)]) { file in
  ///   var writer = ArchiveStreamWriter(to: file)
  ///   for entry in log { try writer.writeObject(entry) }
  ///   try writer.finish()
  /// }
  /// ```
  public final class RemoteFileWriter: ArchiveSink {
    private let stream: SealedStream
    private var parts: PartWriter
    private let cancellation: Cancellation
    private let object: RemoteObject
    /// The error that all later calls throw; nil while the file can be written.
    private var failure: (any Error)?

    /// The number of bytes of plaintext that were written so far.
    public var byteCount: Int { stream.byteCount }

    /// The number of bytes of the sealed file that the server has acknowledged so far, in whole parts.
    ///
    /// Use it to show the progress of an upload: it is behind ``byteCount`` by the parts that are being sent, and by the
    /// first part, which is sent last.
    public var uploadedByteCount: Int { parts.uploadedByteCount }

    init(
      to object: RemoteObject, for recipients: [SealRecipient], options: SealOptions,
      partByteCount: Int, _ cancellation: Cancellation
    ) throws {
      self.object = object
      self.cancellation = cancellation
      stream = try SealedStream(for: recipients, options: options)
      parts = try PartWriter(
        object, headerByteCount: stream.headerLength, partByteCount: partByteCount, cancellation)
    }

    /// Adds bytes to the plaintext; blocks its thread while a part is uploaded.
    ///
    /// - Parameter bytes: The next bytes, of any number.
    /// - Throws: `SealError` when they cannot be sealed, and ``RemoteError`` when a part cannot be uploaded. Once a call
    ///   has thrown, all later calls throw the same error.
    public func write(_ bytes: Span<UInt8>) throws {
      if let failure { throw failure }
      guard !cancellation.isCancelled else {
        throw RemoteError(.cancelled, "The upload was cancelled.", request: "POST \(object)")
      }
      do {
        try stream.write(bytes) { try parts.append($0) }
      } catch {
        failure = error
        throw error
      }
    }

    /// Adds bytes to the plaintext; blocks its thread while a part is uploaded.
    ///
    /// - Parameter bytes: The next bytes, of any number.
    /// - Throws: `SealError` and ``RemoteError``, as the overload for a span does.
    public func write(_ bytes: [UInt8]) throws { try write(bytes.span) }

    /// Seals the rest, and makes the object.
    func finish(if condition: ObjectCondition) throws -> ObjectVersion {
      if let failure { throw failure }
      let header = try stream.finish { try parts.append($0) }
      let version = try parts.finish(header: header, if: condition)
      failure = SealError(.alreadyFinished)
      return version
    }

    /// Removes what was uploaded, and refuses later writes.
    func discard(after error: any Error) {
      failure = failure ?? error
      parts.discard()
    }
  }

  extension RemoteObject {
    /// Seals a stream whose length is not known into the object, in bounded memory.
    ///
    /// A file that fits into one part is written by one request. A longer one is uploaded in parts, three at a time, and
    /// appears under its key, complete, when the call returns. When the closure or a request throws, and when the
    /// task is cancelled, the parts are removed and the object is as it was. If the server cannot be reached for that,
    /// or the process dies, the parts stay until a lifecycle rule of the bucket removes them: set one up.
    ///
    /// Memory: about eight parts: the first and the next one, and those that are being sent, each twice. A signed file
    /// takes 32 bytes more for each chunk.
    ///
    /// Stores such as Ceph's radosgw ignore conditions when an upload in parts is completed. So a condition is only
    /// accepted with `writers: .one`. It is compared before a long object is made: so an app does not replace a version
    /// that it has not seen, but it can lose a race. Where several machines write, seal in memory and use `put(_:if:)`.
    ///
    /// - Parameters:
    ///   - recipients: Between 1 and 32 different recipients, each of whom can open the file.
    ///   - options: Chunk size, context and metadata.
    ///   - condition: The condition of the write.
    ///   - writers: The machines that write the object.
    ///   - partByteCount: The length of a part, from 5 MiB to 5 GiB; a file has at most 10,000 parts.
    ///   - write: Writes the plaintext, on a thread that may block.
    /// - Returns: The version of the object.
    /// - Throws: The error of `write`; `SealError`; ``RemoteError``: `conditionsUnsupported` for a condition without
    ///   `writers: .one`, `changedMeanwhile` when the condition does not hold, `outcomeUnknown` when no answer arrived and
    ///   the object cannot be read, and others.
    @discardableResult
    public func seal(
      for recipients: [SealRecipient], options: SealOptions = SealOptions(),
      if condition: ObjectCondition = .always, writers: RemoteStateStore.Writers = .several,
      partByteCount: Int = 8 << 20,
      _ write: @escaping @Sendable (RemoteFileWriter) throws -> Void
    ) async throws -> ObjectVersion {
      guard condition == .always || writers == .one else {
        throw RemoteError(
          .conditionsUnsupported,
          "Stores may ignore conditions when an upload in parts is completed, so another writer could be overwritten. If "
            + "only this machine writes the object, say so by RemoteStateStore.Writers.one.",
          request: "POST \(self)")
      }
      let cancellation = Cancellation()
      return try await BlockingWork.run(cancelling: cancellation) {
        try self.sealNow(
          for: recipients, options: options, if: condition, partByteCount: partByteCount,
          cancellation, write)
      }
    }

    /// Seals on a thread that may block; the caller has to know whether the store keeps the condition.
    package func sealNow(
      for recipients: [SealRecipient], options: SealOptions, if condition: ObjectCondition,
      partByteCount: Int, _ cancellation: Cancellation,
      _ write: (RemoteFileWriter) throws -> Void
    ) throws -> ObjectVersion {
      let writer = try RemoteFileWriter(
        to: self, for: recipients, options: options, partByteCount: partByteCount, cancellation)
      do {
        try write(writer)
        return try writer.finish(if: condition)
      } catch {
        writer.discard(after: error)
        throw error
      }
    }
  }
#endif
