#if Remote
  public import Keepsake

  extension RemoteObject {
    /// The result of a change of the slots of an object.
    public struct Rewrapping: Sendable {
      /// The public part of the new header, and the slots that were kept.
      public let report: SealRewrapReport
      /// The new version of the object.
      public let version: ObjectVersion
      /// The bytes of the object that were received.
      public let receivedByteCount: Int
      /// The bytes of the object that were sent.
      public let sentByteCount: Int
    }

    /// Changes who can open a sealed file in the store, and nothing else: the content is neither opened nor sealed again.
    ///
    /// The object is replaced only if it is still the version that was read. It is read and written whole; where only
    /// this machine writes the object, the store copies all of a large one but the first 5 MiB. As with
    /// ``/KeepsakeSeal/SealedFile/rewrap(_:with:adding:removing:keeping:keepsUnnamedSlots:context:expecting:allowsMixedPassphrase:policy:progress:)``,
    /// each slot has to be accounted for, and a removed recipient can still read what they have copied. An earlier
    /// version that the bucket keeps stays readable for them too.
    ///
    /// - Parameters:
    ///   - identities: The keys that open the file.
    ///   - newcomers: The recipients to add.
    ///   - removing: The slots to remove.
    ///   - keeping: The slots to keep, besides the one that opens the file.
    ///   - keepsUnnamedSlots: True when slots that the caller does not name stay too.
    ///   - writers: The machines that write the object. With `one`, this machine compares the version of a large
    ///     object before it is replaced, and the store does not.
    ///   - context: The bytes that were passed as ``/KeepsakeSeal/SealOptions/context``; nil for those that a saved state
    ///     or a value states, and none for other files.
    /// - Returns: The slots, the new version, and the bytes that were moved.
    /// - Throws: ``RemoteError``, with `changedMeanwhile` when another writer was faster; or
    ///   ``/KeepsakeSeal/SealError`` when no key opens the file, or a slot is not accounted for.
    @discardableResult
    public func rewrap(
      with identities: [SealIdentity], adding newcomers: [SealRecipient] = [],
      removing: [SealSlotSelection] = [], keeping: [SealSlotSelection] = [],
      keepsUnnamedSlots: Bool = false, writers: RemoteStateStore.Writers = .several,
      context: [UInt8]? = nil
    ) async throws -> Rewrapping {
      let source = try await RemoteSource.open(self)
      return try await source.perform { source in
        do {
          let header = try SealedFile.rewrappedHeader(
            of: source, with: identities, adding: newcomers, removing: removing,
            keeping: keeping, keepsUnnamedSlots: keepsUnnamedSlots,
            context: context ?? SealedFile.inspect(source: source).statedContext)
          // Twice the shortest part, since a shorter object would hardly gain by a copy.
          let shortest = PartWriter.partByteCounts.lowerBound
          let copiesRest = writers == .one && source.byteCount > 2 * shortest
          let end = copiesRest ? header.contentOffset + shortest : source.byteCount
          let bytes = try header.bytes + source.read(header.contentOffset..<end)
          let version =
            try copiesRest
            ? replaceBeginning(by: bytes, keeping: end..<source.byteCount, of: source.version)
            : putNow(bytes, if: .version(source.version))
          return Rewrapping(
            report: header.report, version: version, receivedByteCount: source.traffic.byteCount,
            sentByteCount: bytes.count)
        } catch let error as SealError {
          throw error.underlyingError ?? error
        }
      }
    }
  }
#endif
