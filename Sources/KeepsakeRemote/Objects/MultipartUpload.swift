#if Remote
  import Keepsake
  import NIOHTTP1

  /// An upload in parts, which becomes an object when it is completed.
  ///
  /// Until then the server stores the parts, and bills them, under an identifier of their own. Parts are sent on
  /// threads of their own, a few at a time.
  final class MultipartUpload: Sendable {
    /// The most parts that the protocol allows.
    static let partLimit = 10_000
    /// The most parts that are sent at a time.
    static let concurrentPartLimit = 3
    /// The number of bytes at the beginning of an object that are read back to see whether an upload was completed.
    private static let markByteCount = 4096

    private struct State {
      /// The tags of the parts, by their numbers.
      var tags: [Int: String] = [:]
      /// The number of bytes of the parts that the server has acknowledged.
      var byteCount = 0
      /// The number of parts that are being sent.
      var runningCount = 0
      /// The first failure of a part.
      var failure: RemoteError?
    }

    private let store: ObjectStore
    private let key: String
    private let identifier: String
    private let state = Monitor(State())

    /// Begins an upload.
    ///
    /// If the answer is lost, the request is sent again. The first upload then remains on the server, without parts.
    init(
      to store: ObjectStore, key: String, _ cancellation: Cancellation
    ) throws(RemoteError) {
      let query = [("uploads", "")]
      let request = store.request(.POST, key: key, query: query)
      let answer = try store.send(request, key: key, query: query, cancellation: cancellation)
      guard answer.isSuccess else { throw answer.refusal(of: request) }
      guard let result = AnswerElement(parsing: answer.body),
        result.name == "InitiateMultipartUploadResult", let identifier = result["UploadId"],
        !identifier.isEmpty
      else {
        throw RemoteError(
          .malformedAnswer, "The answer has no identifier of an upload.", request: request.name,
          status: answer.status)
      }
      self.store = store
      self.key = key
      self.identifier = identifier
    }

    /// Begins to upload a part, as soon as fewer parts than the limit are being sent; throws the failure of an earlier
    /// part.
    func upload(
      _ bytes: [UInt8], asPart number: Int, _ cancellation: Cancellation
    ) throws(RemoteError) {
      let limit = min(Self.concurrentPartLimit, max(1, store.settings.concurrentRequestCount))
      state.wait { $0.runningCount < limit || $0.failure != nil }
      try throwFailure()
      state.withLock { $0.runningCount += 1 }
      let send: @Sendable () -> Void = {
        do throws(RemoteError) {
          let tag = try self.tag(of: bytes, asPart: number, cancellation)
          self.state.withLock { state in
            state.tags[number] = tag
            state.byteCount += bytes.count
          }
        } catch {
          self.state.withLock { $0.failure = $0.failure ?? error }
        }
        self.state.withLock { $0.runningCount -= 1 }
      }
      if !WorkerThreads.start(send) { send() }
    }

    /// The number of bytes of the parts that were sent and acknowledged so far.
    var byteCount: Int { state.withLock { $0.byteCount } }

    /// Waits until no part is being sent.
    private func waitForParts() { state.wait { $0.runningCount == 0 } }

    private func throwFailure() throws(RemoteError) {
      if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Sends a part, and returns the tag that the server has given it.
    private func tag(
      of bytes: [UInt8], asPart number: Int, _ cancellation: Cancellation
    ) throws(RemoteError) -> String {
      let query = [("partNumber", "\(number)"), ("uploadId", identifier)]
      var request = store.request(.PUT, key: key, query: query)
      request.name += " (part \(number))"
      request.body = bytes
      let answer = try store.send(request, key: key, query: query, cancellation: cancellation)
      guard answer.isSuccess else { throw answer.refusal(of: request) }
      guard answer.version.isUsable else {
        throw RemoteError(
          .malformedAnswer, "The answer has no tag of the part.", request: request.name,
          status: answer.status)
      }
      return answer.version.tag
    }

    /// Makes a part from a range of an object of the store, without sending its bytes.
    func copy(
      _ range: Range<Int>, ofKey source: String, asPart number: Int, _ cancellation: Cancellation
    ) throws(RemoteError) {
      let query = [("partNumber", "\(number)"), ("uploadId", identifier)]
      var request = store.request(.PUT, key: key, query: query)
      request.name += " (copy of part \(number))"
      request.headers += [
        ("x-amz-copy-source", "/\(store.bucket)/\(source.percentEncoded(keeping: "/"))"),
        ("x-amz-copy-source-range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)"),
      ]
      let answer = try store.send(request, key: key, query: query, cancellation: cancellation)
      guard answer.isSuccess else { throw answer.refusal(of: request) }
      guard let result = AnswerElement(late: answer.body, named: "CopyPartResult"),
        case let version = ObjectVersion(header: result["ETag"] ?? ""), version.isUsable
      else {
        throw RemoteError(
          .serverFailed, "The server did not copy the range.", request: request.name,
          status: answer.status)
      }
      state.withLock { $0.tags[number] = version.tag }
    }

    /// Makes the object from all parts, if the condition holds, and returns its version.
    ///
    /// The condition is checked before the request, because stores ignore it when an upload is completed. If the answer
    /// leaves open whether the object was made, the object is read back: only this upload makes an object with this
    /// size and these first bytes. If the object cannot be read either, the outcome is unknown.
    func complete(
      beginning: [UInt8], byteCount: Int, checking condition: ObjectCondition,
      _ cancellation: Cancellation
    ) throws(RemoteError) -> ObjectVersion {
      waitForParts()
      try throwFailure()
      let object = try store.object(key)
      try object.check(condition, cancellation)
      let failure: RemoteError
      do throws(RemoteError) {
        switch try requestCompletion(cancellation) {
        case .done(let version) where version.isUsable: return version
        case .done:
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
      let mark = beginning.prefix(Self.markByteCount)
      let found: RemoteObject.Part
      do throws(RemoteError) {
        // The object is read even if the task of the caller is cancelled, since only this tells whether it was written.
        found = try object.getNow(0..<mark.count, Cancellation())
      } catch {
        if error.code == .absent { throw failure }
        throw failure.leavingOutcomeUnknown(of: "POST \(object)")
      }
      guard found.bytes.elementsEqual(mark), found.objectByteCount == byteCount,
        condition != .version(found.version)
      else { throw failure }
      return found.version
    }

    /// Asks the server to make the object from all parts; a status 200 alone does not prove that it did.
    private func requestCompletion(_ cancellation: Cancellation) throws(RemoteError) -> Completion {
      let query = [("uploadId", identifier)]
      var request = store.request(.POST, key: key, query: query)
      request.name += " (completing an upload)"
      let parts = state.withLock { $0.tags }.sorted { $0.key < $1.key }.map { number, tag in
        "<Part><PartNumber>\(number)</PartNumber><ETag>\"\(tag.escapedForXML)\"</ETag></Part>"
      }
      request.body = Array(
        "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8)
      let answer = try store.send(request, key: key, query: query, cancellation: cancellation)
      guard answer.isSuccess else {
        return .refused(answer.refusal(of: request), attemptCount: answer.attemptCount)
      }
      guard let result = AnswerElement(late: answer.body, named: "CompleteMultipartUploadResult")
      else {
        throw RemoteError(
          .serverFailed, "The server did not complete the upload.", request: request.name,
          status: answer.status)
      }
      return .done(ObjectVersion(header: result["ETag"] ?? ""))
    }

    /// The answer to completing an upload.
    private enum Completion {
      /// The object was made; the version may be unusable.
      case done(ObjectVersion)
      /// This attempt made no object; an earlier one of several may have.
      case refused(RemoteError, attemptCount: Int)
    }

    /// Removes the parts; an upload that was completed is not changed.
    func discard() throws(RemoteError) {
      // The server would keep a part that arrives after the others were removed.
      waitForParts()
      let query = [("uploadId", identifier)]
      let request = store.request(.DELETE, key: key, query: query)
      // The parts are removed even if the task of the caller is cancelled.
      let answer = try store.send(
        request, key: key, query: query, cancellation: Cancellation())
      guard answer.isSuccess || answer.status == 404 else { throw answer.refusal(of: request) }
    }
  }

  extension AnswerElement {
    /// Reads the document of a server that may send spaces while it works, and an error after the status 200.
    fileprivate init?(late body: [UInt8], named name: String) {
      self.init(parsing: Array(body.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D }))
      if self.name != name { return nil }
    }
  }

  extension String {
    fileprivate var escapedForXML: String {
      var text = ""
      for character in self {
        switch character {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        default: text.append(character)
        }
      }
      return text
    }
  }
#endif
