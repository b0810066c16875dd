#if Remote
  import CommandSupport
  import Keepsake
  import KeepsakeRemote

  /// The upload of one object, which replaces exactly the version that was there before.
  struct ObjectUpload: RemoteUpload {
    /// The length of a part; a file that fits into one is sent by one request.
    private static let partByteCount = 16 << 20

    private let object: RemoteObject
    private let condition: ObjectCondition

    /// Looks up the current version, so that an object that is written while the file is sealed is not overwritten.
    init(to address: RemoteAddress) throws {
      guard address.isInStore else {
        throw Failure(
          "\(address.shown) is an address of a web server, and keepsake writes only to object stores: name one as "
            + "s3://BUCKET/KEY.", .usage)
      }
      let object = try address.object()
      let version = try RemoteTask.value { () throws(RemoteError) in try await object.version() }
      self.object = object
      condition = version.map { .version($0) } ?? .absent
    }

    func seal(
      for recipients: [SealRecipient], options: SealOptions,
      _ write: (_ append: ([UInt8]) throws -> Int) throws -> Void
    ) throws {
      let cancellation = Cancellation()
      RemoteRequests.whenCancelled { cancellation.cancel() }
      do {
        _ = try object.sealNow(
          for: recipients, options: options, if: condition, partByteCount: Self.partByteCount,
          cancellation
        ) { file in
          try write { piece in
            try file.write(piece)
            return file.uploadedByteCount
          }
        }
      } catch let error as RemoteError {
        throw Failure(error)
      }
    }
  }
#endif
