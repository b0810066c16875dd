#if Remote
  import Keepsake
  import NIOHTTP1

  /// An upload in parts, which becomes an object when it is completed.
  ///
  /// Until then the server stores the parts, and bills them, under an identifier of their own.
  struct MultipartUpload {
    /// The most parts that the protocol allows.
    static let partLimit = 10_000

    private let store: ObjectStore
    private let key: String
    private let identifier: String
    /// The tags of the parts, by their numbers.
    private var tags: [Int: String] = [:]

    /// Begins an upload.
    ///
    /// When its answer is lost, the request is sent again. The first upload then stays, without parts.
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

    /// Uploads a part; a part with the same number is replaced.
    mutating func upload(
      _ bytes: [UInt8], asPart number: Int, _ cancellation: Cancellation
    ) throws(RemoteError) {
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
      tags[number] = answer.version.tag
    }

    /// Makes the object of all parts.
    ///
    /// - Returns: The answer of the server; its status 200 alone does not say that the object was made.
    func complete(_ cancellation: Cancellation) throws(RemoteError) -> Completion {
      let query = [("uploadId", identifier)]
      var request = store.request(.POST, key: key, query: query)
      request.name += " (completing an upload)"
      let parts = tags.sorted { $0.key < $1.key }.map { number, tag in
        "<Part><PartNumber>\(number)</PartNumber><ETag>\"\(tag.escapedForXML)\"</ETag></Part>"
      }
      request.body = Array(
        "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>".utf8)
      let answer = try store.send(request, key: key, query: query, cancellation: cancellation)
      guard answer.isSuccess else {
        return .refused(answer.refusal(of: request), attemptCount: answer.attemptCount)
      }
      // A server may send spaces while it works, and an error after the status 200.
      let body = Array(answer.body.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D })
      guard let result = AnswerElement(parsing: body),
        result.name == "CompleteMultipartUploadResult"
      else {
        throw RemoteError(
          .serverFailed, "The server did not complete the upload.", request: request.name,
          status: answer.status)
      }
      return .done(ObjectVersion(header: result["ETag"] ?? ""))
    }

    /// The answer to completing an upload.
    enum Completion {
      /// The object was made; the version may be unusable.
      case done(ObjectVersion)
      /// This attempt made no object; an earlier one of several may have.
      case refused(RemoteError, attemptCount: Int)
    }

    /// Removes the parts; an upload that was completed is not changed.
    func discard() throws(RemoteError) {
      let query = [("uploadId", identifier)]
      let request = store.request(.DELETE, key: key, query: query)
      // The task of the caller may be cancelled, and the parts are to go all the same.
      let answer = try store.send(
        request, key: key, query: query, cancellation: Cancellation())
      guard answer.isSuccess || answer.status == 404 else { throw answer.refusal(of: request) }
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
