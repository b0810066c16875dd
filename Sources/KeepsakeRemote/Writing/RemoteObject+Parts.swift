#if Remote
  import Keepsake

  extension RemoteObject {
    /// Writes the object in parts: the bytes that a closure appends.
    ///
    /// The condition is compared before the object is made, and not by the server.
    package func putParts(
      byteCount: Int, checking condition: ObjectCondition,
      _ write: @escaping @Sendable (_ append: ([UInt8]) throws -> Void) throws -> Void
    ) async throws(RemoteError) -> ObjectVersion {
      let cancellation = Cancellation()
      return try await BlockingWork.run(cancelling: cancellation) { () throws(RemoteError) in
        // Some room is left below the largest number of parts.
        let partByteCount = max(8 << 20, byteCount / (MultipartUpload.partLimit - 100))
        var parts = try PartWriter(
          self, headerByteCount: 0, partByteCount: partByteCount, cancellation)
        do {
          try write { piece in try parts.append(piece) }
          return try parts.finish(header: [], checking: condition)
        } catch {
          parts.discard()
          if let error = error as? RemoteError { throw error }
          throw RemoteError(
            .requestRefused, "The bytes to send cannot be read. \(error)", request: "PUT \(self)",
            underlyingError: error)
        }
      }
    }

    /// Replaces the beginning of the object by one that is at least as long as the shortest part, and has the store copy
    /// the range that follows it.
    ///
    /// The version that is replaced is compared before the object is made, and not by the store.
    func replaceBeginning(
      by beginning: [UInt8], keeping range: Range<Int>, of version: ObjectVersion,
      _ cancellation: Cancellation = Cancellation()
    ) throws(RemoteError) -> ObjectVersion {
      guard case .stored(let store, let key) = place else {
        throw RemoteError(
          .requestRefused, "A web server copies no ranges.", request: "POST \(self)")
      }
      var upload = try MultipartUpload(to: store, key: key, cancellation)
      do throws(RemoteError) {
        try upload.upload(beginning, asPart: 1, cancellation)
        let pieceByteCount = 1 << 30
        var (start, number) = (range.lowerBound, 2)
        while start < range.upperBound {
          // The last part takes what would be too short for one of its own.
          let rest = range.upperBound - start
          let end = rest < 2 * pieceByteCount ? range.upperBound : start + pieceByteCount
          try upload.copy(start..<end, ofKey: key, asPart: number, cancellation)
          (start, number) = (end, number + 1)
        }
        guard try versionNow(cancellation) == version else {
          throw RemoteError(
            .changedMeanwhile, "Another writer was faster. The object was not written.",
            request: "POST \(self)")
        }
      } catch {
        try? upload.discard()
        throw error
      }
      do throws(RemoteError) {
        switch try upload.complete(cancellation) {
        case .done(let version) where version.isUsable: return version
        case .done:
          return try self.version(beginningWith: Array(beginning.prefix(4096)), cancellation)
        case .refused(let refusal, _): throw refusal
        }
      } catch {
        guard error.leavesOutcomeOpen else { throw error }
        throw RemoteError(
          .outcomeUnknown,
          "No answer arrived, so the object may or may not have got other recipients. Look at its slots.",
          request: "POST \(self)", underlyingError: error)
      }
    }

    /// The version of the object, which has to begin with bytes that no other version has.
    private func version(
      beginningWith mark: [UInt8], _ cancellation: Cancellation
    ) throws(RemoteError) -> ObjectVersion {
      let found = try getNow(0..<mark.count, cancellation)
      guard found.bytes == mark else {
        throw RemoteError(
          .changedMeanwhile, "Another writer has replaced the object since it was written.",
          request: "GET \(self)")
      }
      return found.version
    }
  }
#endif
