#if Remote
  import CommandSupport
  import Foundation
  import Keepsake
  import KeepsakeRemote

  /// The upload of one object, which replaces exactly the version that was there before.
  struct ObjectUpload: RemoteUpload {
    /// The most bytes of a file that is sent by one request; a longer one is sent in parts.
    private static let byteLimit = 1 << 26

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
      let (object, condition) = (object, condition)
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      let byteCount = Int(clamping: try file.seekToEnd())
      try file.seek(toOffset: 0)
      guard byteCount > Self.byteLimit else {
        let bytes = try Array(file.readToEnd() ?? Data())
        _ = try RemoteTask.value { () throws(RemoteError) in
          try await object.put(bytes, if: condition)
        }
        return
      }
      _ = try RemoteTask.value { () throws(RemoteError) in
        try await object.putParts(byteCount: byteCount, checking: condition) { append in
          while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
            try append(Array(piece))
          }
        }
      }
    }
  }
#endif
