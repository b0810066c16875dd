#if Remote
  import CommandSupport
  import Keepsake
  import KeepsakeRemote

  /// The upload of one object, which replaces exactly the version that was there before.
  struct ObjectUpload: RemoteUpload {
    /// The most bytes of a file, which is sent by one request.
    private static let byteLimit = 1 << 30

    private let object: RemoteObject
    private let condition: ObjectCondition

    /// Looks at the version that is there, so that an object that is replaced while the file is sealed is not lost.
    init(to address: RemoteAddress) throws {
      guard address.isInStore else {
        throw Failure(
          "\(address.shown) is an address of a web server, and keepsake writes to object stores alone: name one as "
            + "s3://BUCKET/KEY.", .usage)
      }
      let object = try address.object()
      let version = try RemoteTask.value { () throws(RemoteError) in try await object.version() }
      self.object = object
      condition = version.map { .version($0) } ?? .absent
    }

    func send(fileAt path: String) throws {
      let bytes = try DurableFile.read(at: path, upTo: Self.byteLimit)
      let (object, condition) = (object, condition)
      _ = try RemoteTask.value { () throws(RemoteError) in
        try await object.put(bytes, if: condition)
      }
    }
  }
#endif
