#if Remote
  import AsyncHTTPClient
  import NIOCore
  import NIOHTTP1
  import Synchronization

  /// A request, before it is signed.
  struct RemoteRequest: Sendable {
    var method: HTTPMethod
    /// The whole address, percent-encoded.
    var url: String
    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// The range of the object that the answer must have, cut at the end of the object.
    var range: Range<Int>?
    /// The most bytes that the body of a successful answer may have.
    var bodyLimit = 1 << 16
    /// The method and the address without secrets, for messages.
    var name: String
    var followsRedirections = false
  }

  /// The complete answer to a request.
  struct RemoteAnswer: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: [UInt8]
    /// The size of the whole object, where the answer has a range of it.
    var objectByteCount: Int?
    /// The number of times the request was sent.
    var attemptCount = 1

    func header(_ name: String) -> String? { headers.first(name: name) }

    var isSuccess: Bool { (200..<300).contains(status) }

    /// True when the server reports a failure of its own, or too many requests.
    var isTransientFailure: Bool { [429, 500, 502, 503, 504].contains(status) }

    /// The pause that the server asks for.
    var requestedPause: Duration? {
      header("Retry-After").flatMap { Int($0) }.flatMap { 0...86_400 ~= $0 ? .seconds($0) : nil }
    }
  }

  /// Collects one answer, and refuses it as soon as it cannot be the requested one.
  final class AnswerReceiver: HTTPClientResponseDelegate {
    typealias Response = RemoteAnswer

    /// The most bytes that are kept of the body of an answer that reports a failure.
    private static let failureBodyLimit = 1 << 16

    private struct State {
      var answer: RemoteAnswer?
      /// The exact size of the body, where the range decides it.
      var bodyByteCount: Int?
    }

    private let request: RemoteRequest
    private let state = Mutex(State())

    init(_ request: RemoteRequest) { self.request = request }

    func didReceiveHead(
      task: HTTPClient.Task<RemoteAnswer>, _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
      task.eventLoop.makeCompletedFuture { try self.accept(head) }
    }

    func didReceiveBodyPart(
      task: HTTPClient.Task<RemoteAnswer>, _ buffer: ByteBuffer
    ) -> EventLoopFuture<Void> {
      task.eventLoop.makeCompletedFuture { try self.accept(buffer) }
    }

    func didFinishRequest(task: HTTPClient.Task<RemoteAnswer>) throws -> RemoteAnswer {
      let (answer, expected) = state.withLock { ($0.answer, $0.bodyByteCount) }
      guard let answer else { throw malformed("an answer without a head") }
      if let expected, answer.body.count != expected {
        throw RemoteError(
          .unreachable, "The answer ended after \(answer.body.count) of \(expected) bytes.",
          request: request.name, status: answer.status)
      }
      return answer
    }

    private func accept(_ head: HTTPResponseHead) throws(RemoteError) {
      let status = Int(head.status.code)
      var answer = RemoteAnswer(status: status, headers: head.headers, body: [])
      var expected: Int?
      if let range = request.range, (200..<300).contains(status) {
        guard status == 206 else {
          throw RemoteError(
            .rangeRefused,
            "The server sent the whole object instead of a range (status \(status)). Download it as a whole, or use a "
              + "server that supports ranges.", request: request.name, status: status)
        }
        guard let sent = head.headers.first(name: "Content-Range").flatMap(ContentRange.init),
          let total = sent.total, let bytes = sent.range,
          bytes == range.clamped(to: 0..<total), !bytes.isEmpty
        else {
          throw RemoteError(
            .rangeRefused, "The server sent another range than the requested one.",
            request: request.name, status: status)
        }
        answer.objectByteCount = total
        expected = bytes.count
      } else if (200..<300).contains(status), request.method != .HEAD,
        let stated = head.headers.first(name: "Content-Length").flatMap({ Int($0) })
      {
        guard stated <= request.bodyLimit else { throw tooLarge(status) }
        expected = stated
      }
      state.withLock { state in
        state.answer = answer
        state.bodyByteCount = expected
      }
    }

    private func accept(_ buffer: ByteBuffer) throws(RemoteError) {
      let status = state.withLock { state -> Int? in
        guard var answer = state.answer else { return 0 }
        // With a second reference, each appended part would copy the body.
        state.answer = nil
        defer { state.answer = answer }
        if answer.isSuccess {
          let limit = request.range?.count ?? request.bodyLimit
          guard answer.body.count + buffer.readableBytes <= limit else { return answer.status }
          answer.body.append(contentsOf: buffer.readableBytesView)
        } else {
          let room = Self.failureBodyLimit - answer.body.count
          answer.body.append(contentsOf: buffer.readableBytesView.prefix(max(0, room)))
        }
        return nil
      }
      if let status { throw tooLarge(status) }
    }

    private func tooLarge(_ status: Int) -> RemoteError {
      RemoteError(
        .answerTooLarge,
        "The answer is longer than \(request.range?.count ?? request.bodyLimit) bytes, so it was refused.",
        request: request.name, status: status)
    }

    private func malformed(_ what: String) -> RemoteError {
      RemoteError(.malformedAnswer, "The server sent \(what).", request: request.name)
    }
  }

  /// The value of a header `Content-Range` (RFC 9110, section 14.4).
  struct ContentRange {
    /// Nil where the server states only the size.
    let range: Range<Int>?
    let total: Int?

    init?(_ text: String) {
      let words = text.split(separator: " ")
      guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
      let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      total = Self.number(parts[1])
      guard parts[1] == "*" || total != nil else { return nil }
      guard parts[0] != "*" else {
        range = nil
        return
      }
      let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]),
        first <= last, last < Int.max
      else { return nil }
      range = first..<last + 1
    }

    /// A number of decimal digits only.
    private static func number(_ text: Substring) -> Int? {
      text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        ? Int(text) : nil
    }
  }
#endif
