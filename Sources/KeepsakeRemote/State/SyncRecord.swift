#if Remote
  import Keepsake

  /// The facts about a state and its copy in an object store, as of their last exchange (Spec/remote.md, section 2).
  struct SyncRecord: Equatable {
    /// A version of the remote state, and the local file that held the same state.
    struct Pair: Equatable {
      let pin: SealedFilePin
      var localFileID: [UInt8]
      /// The generation of the local file; a file with another identifier and no greater generation is an older copy.
      let localGeneration: UInt64
    }

    /// The address of the object; a record of another object is ignored.
    let object: String
    /// The last remote version that was read or written here; nil before the first.
    var seen: Pair?
    /// The version of an upload whose answer has not arrived; nil after the answer.
    var sent: Pair?
    /// True when a probe has found that the store keeps conditions.
    var isProbed = false

    /// The identifier that no local file has.
    static let noFileID = [UInt8](repeating: 0, count: 32)
    /// Replaces the identifier when the local file is an older copy that was put back, or was saved after one.
    static let oldCopyID = [UInt8](repeating: 0xFF, count: 32)

    private static let heading = "keepsake remote 1"
    /// The longest file that is read.
    private static let byteLimit = 1 << 16

    init(object: String) { self.object = object }

    /// Reads the record at a path; a new one if it is absent, damaged, or one of another object.
    static func read(at path: String, object: String) throws(FileError) -> SyncRecord {
      guard case .regular = try DurableFile.kind(of: path) else {
        return SyncRecord(object: object)
      }
      let bytes = try DurableFile.read(at: path, upTo: byteLimit)
      guard let record = SyncRecord(bytes), record.object == object else {
        return SyncRecord(object: object)
      }
      return record
    }

    func write(at path: String) throws(FileError) {
      try DurableFile.replace(at: path, with: bytes.span)
    }

    var bytes: [UInt8] {
      let lines = [
        Self.heading, object, Self.text(of: seen), Self.text(of: sent), isProbed ? "probed" : "-",
      ]
      return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    init?(_ bytes: [UInt8]) {
      guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      guard lines.count == 6, lines[0] == Self.heading, lines[5].isEmpty else { return nil }
      object = lines[1]
      seen = Self.pair(lines[2])
      sent = Self.pair(lines[3])
      isProbed = lines[4] == "probed"
      // Only the exact bytes that `bytes` writes are accepted.
      guard self.bytes == bytes else { return nil }
    }

    private static func text(of pair: Pair?) -> String {
      pair.map {
        "\($0.pin.bytes.hexadecimal) \($0.localFileID.hexadecimal) \($0.localGeneration)"
      } ?? "-"
    }

    private static func pair(_ text: String) -> Pair? {
      let words = text.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 3, let pinBytes = [UInt8](hexadecimal: words[0].utf8),
        let fileID = [UInt8](hexadecimal: words[1].utf8), fileID.count == 32,
        let pin = try? SealedFilePin(bytes: pinBytes), let generation = UInt64(words[2])
      else { return nil }
      return Pair(pin: pin, localFileID: fileID, localGeneration: generation)
    }
  }
#endif
