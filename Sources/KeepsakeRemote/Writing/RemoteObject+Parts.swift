#if Remote
  import Keepsake

  extension RemoteObject {
    /// Writes the bytes that a closure appends as an object, in parts.
    ///
    /// The condition is checked before the object is made, and not by the server.
    func putPartsNow(
      byteCount: Int, checking condition: ObjectCondition, _ cancellation: Cancellation,
      _ write: (_ append: ([UInt8]) throws(RemoteError) -> Void) throws(RemoteError) -> Void
    ) throws(RemoteError) -> ObjectVersion {
      // Some room is left below the largest number of parts.
      let partByteCount = max(8 << 20, byteCount / (MultipartUpload.partLimit - 100))
      var parts = try PartWriter(
        self, headerByteCount: 0, partByteCount: partByteCount, cancellation)
      do throws(RemoteError) {
        try write { piece throws(RemoteError) in try parts.append(piece) }
        return try parts.finish(header: [], if: condition)
      } catch {
        parts.discard()
        throw error
      }
    }

    /// Replaces the beginning of the object, and lets the store copy the range that follows it.
    ///
    /// The new beginning must be at least as long as the shortest part.
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
      let upload = try MultipartUpload(to: store, key: key, cancellation)
      do throws(RemoteError) {
        try upload.upload(beginning, asPart: 1, cancellation)
        let pieceByteCount = 1 << 30
        var (start, number) = (range.lowerBound, 2)
        while start < range.upperBound {
          // The last part also takes a rest that would be too short for a part.
          let rest = range.upperBound - start
          let end = rest < 2 * pieceByteCount ? range.upperBound : start + pieceByteCount
          try upload.copy(start..<end, ofKey: key, asPart: number, cancellation)
          (start, number) = (end, number + 1)
        }
        return try upload.complete(
          beginning: beginning, byteCount: beginning.count + range.count,
          checking: .version(version), cancellation)
      } catch {
        // Discarding is safe after an unknown outcome too, since it does not change a completed upload.
        try? upload.discard()
        throw error
      }
    }
  }
#endif
