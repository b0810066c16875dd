#if Remote
  import Foundation
  import Keepsake
  import NIOHTTP1

  /// The version of an object, as the server names it.
  public struct ObjectVersion: Hashable, Sendable, CustomStringConvertible {
    /// The entity tag without its quotation marks; empty if the server sends none.
    public let tag: String
    /// True for a weak tag, which does not tell versions apart byte for byte.
    let isWeak: Bool

    /// Reads the value of a header `ETag`, with quotation marks or without.
    init(header: String) {
      isWeak = header.hasPrefix("W/")
      var text = Substring(isWeak ? header.dropFirst(2) : header[...])
      if text.count >= 2, text.first == "\"", text.last == "\"" {
        text = text.dropFirst().dropLast()
      }
      tag = String(text)
    }

    /// The tag.
    public var description: String { tag }

    /// True when a request can state the version as a condition.
    var isUsable: Bool {
      !isWeak && !tag.isEmpty
        && tag.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
    }
  }

  /// The condition of a write.
  public enum ObjectCondition: Hashable, Sendable {
    /// The object is written, whether it exists or not.
    case always
    /// The object must not exist.
    case absent
    /// The object must still have this version.
    case version(ObjectVersion)
  }

  /// The bytes of a whole object.
  public struct ObjectContent: Hashable, Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    /// The version that has these bytes.
    public let version: ObjectVersion
  }

  /// An object in a bucket, or a file of a web server.
  public struct RemoteObject: Sendable, CustomStringConvertible {
    enum Place: Sendable {
      case web(url: String, shown: String)
      case stored(ObjectStore, key: String)
    }

    let place: Place
    var settings: RemoteSettings

    init(place: Place, settings: RemoteSettings) {
      self.place = place
      self.settings = settings
    }

    /// The file of a web server that supports ranges; no request is sent.
    ///
    /// The address may be presigned: no message shows the query of an address.
    ///
    /// - Parameters:
    ///   - url: An address with `https://` or `http://`.
    ///   - settings: Time limits, retries and memory.
    /// - Throws: ``RemoteError`` with `invalidAddress`.
    public init(url: String, settings: RemoteSettings = RemoteSettings()) throws(RemoteError) {
      guard var parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(),
        ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty,
        parts.user == nil, parts.password == nil
      else {
        throw RemoteError(
          .invalidAddress,
          "The address has to begin with https:// or http:// and a host, and must not have a password."
        )
      }
      parts.fragment = nil
      let request = parts.string ?? url
      parts.query = nil
      self.init(place: .web(url: request, shown: parts.string ?? host), settings: settings)
    }

    /// The address without secrets: `s3://bucket/key`, or a web address without its query.
    public var description: String {
      switch place {
      case .web(_, let shown): shown.displayed
      case .stored(let store, let key): "s3://\(store.bucket)/\(key)".displayed
      }
    }

    /// The key in the bucket, or the web address without its query.
    var key: String {
      switch place {
      case .web(_, let shown): shown
      case .stored(_, let key): key
      }
    }

    /// Reads the whole object.
    ///
    /// - Parameter limit: The most bytes that it may have.
    /// - Returns: The bytes and their version; nil if there is no object.
    /// - Throws: ``RemoteError``.
    public func get(upTo limit: Int = 64 << 20) async throws(RemoteError) -> ObjectContent? {
      let cancellation = Cancellation()
      return try await BlockingWork.run(cancelling: cancellation) { () throws(RemoteError) in
        try getNow(upTo: limit, cancellation)
      }
    }

    /// Looks up the version of the object; the bytes of the object are not sent.
    ///
    /// - Returns: The version; nil if there is no object.
    /// - Throws: ``RemoteError``.
    public func version() async throws(RemoteError) -> ObjectVersion? {
      let cancellation = Cancellation()
      return try await BlockingWork.run(cancelling: cancellation) { () throws(RemoteError) in
        try versionNow(cancellation)
      }
    }

    /// Writes the whole object, if the condition holds.
    ///
    /// When the call returns, the server has stored the object. A write that was not answered is sent again. If
    /// the condition then no longer holds, the object is read to see whether the first write succeeded.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - condition: The condition of the write.
    /// - Returns: The new version.
    /// - Throws: ``RemoteError``: `changedMeanwhile` when the condition does not hold; `conditionsUnsupported` when the
    ///   server refuses conditions; `outcomeUnknown` when no answer arrived and the object cannot be read. A server
    ///   that ignores conditions reports no error: ``ObjectStore/probe(prefix:)`` finds that out.
    @discardableResult
    public func put(
      _ bytes: [UInt8], if condition: ObjectCondition = .always
    ) async throws(RemoteError) -> ObjectVersion {
      let cancellation = Cancellation()
      return try await BlockingWork.run(cancelling: cancellation) { () throws(RemoteError) in
        try putNow(bytes, if: condition, cancellation)
      }
    }

    /// Deletes the object; an absent object is not an error.
    ///
    /// A bucket that keeps versions keeps the earlier ones, and unfinished uploads stay until the bucket's lifecycle
    /// removes them.
    ///
    /// - Throws: ``RemoteError``.
    public func delete() async throws(RemoteError) {
      let cancellation = Cancellation()
      try await BlockingWork.run(cancelling: cancellation) { () throws(RemoteError) in
        try deleteNow(cancellation)
      }
    }
  }

  // Requests on a thread that may block.
  extension RemoteObject {
    private func request(_ method: HTTPMethod) -> RemoteRequest {
      switch place {
      case .web(let url, let shown):
        var request = RemoteRequest(
          method: method, url: url, name: "\(method.rawValue) \(shown)")
        request.followsRedirections = true
        return request
      case .stored(let store, let key): return store.request(method, key: key)
      }
    }

    private func send(
      _ request: RemoteRequest, _ cancellation: Cancellation
    ) throws(RemoteError) -> RemoteAnswer {
      switch place {
      case .web:
        try RemoteTransport(settings: settings, cancellation: cancellation).send(request) {
          request throws(RemoteError) in request
        }
      case .stored(let store, let key):
        try store.send(request, key: key, cancellation: cancellation)
      }
    }

    func getNow(
      upTo limit: Int, _ cancellation: Cancellation = Cancellation()
    ) throws(RemoteError) -> ObjectContent? {
      var request = request(.GET)
      request.bodyLimit = limit
      let answer = try send(request, cancellation)
      if answer.status == 404 { return nil }
      guard answer.isSuccess else { throw answer.refusal(of: request) }
      return ObjectContent(bytes: answer.body, version: answer.version)
    }

    /// A part of an object, with the size of the whole.
    struct Part {
      let bytes: [UInt8]
      let objectByteCount: Int
      let version: ObjectVersion
      /// The number of times the request was sent.
      let attemptCount: Int
    }

    /// Reads a range of the object, which must still have the version.
    ///
    /// The range must not be empty; it is cut at the end of the object.
    func getNow(
      _ range: Range<Int>, of version: ObjectVersion? = nil, _ cancellation: Cancellation
    ) throws(RemoteError) -> Part {
      var request = request(.GET)
      request.range = range
      request.name += " (bytes \(range.lowerBound) to \(range.upperBound - 1))"
      request.headers.append(("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)"))
      if let version, version.isUsable {
        request.headers.append(("If-Match", "\"\(version.tag)\""))
      }
      let answer = try send(request, cancellation)
      if answer.status == 416, range.lowerBound == 0,
        answer.header("Content-Range").flatMap(ContentRange.init)?.total ?? 0 == 0
      {
        return Part(
          bytes: [], objectByteCount: 0, version: answer.version, attemptCount: answer.attemptCount)
      }
      guard answer.isSuccess, let total = answer.objectByteCount else {
        throw answer.refusal(of: request)
      }
      guard version == nil || answer.version == version else {
        throw RemoteError(
          .changedMeanwhile, "The object was replaced while it was read. Open it again.",
          request: request.name, status: answer.status)
      }
      return Part(
        bytes: answer.body, objectByteCount: total, version: answer.version,
        attemptCount: answer.attemptCount)
    }

    /// The version of the object; nil for an absent one.
    func versionNow(
      _ cancellation: Cancellation = Cancellation()
    ) throws(RemoteError) -> ObjectVersion? {
      let request = request(.HEAD)
      let answer = try send(request, cancellation)
      if answer.status == 404 { return nil }
      guard answer.isSuccess else { throw answer.refusal(of: request) }
      return answer.version
    }

    /// Throws when a condition does not hold for the object; this check is not atomic with the write that follows.
    func check(
      _ condition: ObjectCondition, _ cancellation: Cancellation
    ) throws(RemoteError) {
      let expected: ObjectVersion?
      switch condition {
      case .always: return
      case .absent: expected = nil
      case .version(let version): expected = version
      }
      guard try versionNow(cancellation) == expected else {
        throw RemoteError(
          .changedMeanwhile, "Another writer was faster. The object was not written.",
          request: "HEAD \(self)")
      }
    }

    func deleteNow(_ cancellation: Cancellation = Cancellation()) throws(RemoteError) {
      let request = request(.DELETE)
      let answer = try send(request, cancellation)
      guard answer.isSuccess || answer.status == 404 else { throw answer.refusal(of: request) }
    }

    func putNow(
      _ bytes: [UInt8], if condition: ObjectCondition,
      _ cancellation: Cancellation = Cancellation()
    ) throws(RemoteError) -> ObjectVersion {
      var request = request(.PUT)
      request.body = bytes
      switch condition {
      case .always: break
      case .absent: request.headers.append(("If-None-Match", "*"))
      case .version(let version):
        guard version.isUsable else {
          throw RemoteError(
            .conditionsUnsupported,
            "The server does not name versions in a way that a write can require.",
            request: request.name)
        }
        let form = findings?.tagForm ?? .quoted
        do throws(RemoteError) {
          return try put(request, replacing: version, as: form, cancellation)
        } catch {
          guard error.code == .changedMeanwhile, try versionNow(cancellation) == version else {
            throw error
          }
          if form == .quoted, try !refusesWrongBareTag(cancellation) { throw error }
        }
        // Old versions of radosgw accept only tags without quotation marks, and other servers only tags with them.
        return try put(
          request, replacing: version, as: form == .quoted ? .bare : .quoted, cancellation)
      }
      return try put(request, header: nil, cancellation)
    }

    private var findings: StoreFindings? {
      switch place {
      case .web: nil
      case .stored(let store, _): store.findings
      }
    }

    /// Refuses a store that does not keep conditions, after a probe in the folder of the object.
    func requireConditions(_ cancellation: Cancellation) throws(RemoteError) {
      guard case .stored(let store, _) = place else {
        throw RemoteError(
          .conditionsUnsupported,
          "A web server was not probed, so two machines could overwrite each other's changes. If only this machine "
            + "writes, say so by RemoteStateStore.Writers.one.", request: "PUT \(self)")
      }
      try store.requireConditions(for: self, cancellation)
    }

    /// True when the store refuses a write whose condition is a wrong tag without quotation marks.
    ///
    /// A store that ignores such a tag would write without a condition. A web server is not probed.
    private func refusesWrongBareTag(
      _ cancellation: Cancellation
    ) throws(RemoteError) -> Bool {
      guard case .stored(let store, _) = place else { return false }
      let scratch = try store.object(store.probeKey(beside: key))
      var request = scratch.request(.PUT)
      request.headers.append(("If-Match", String(repeating: "0", count: 32)))
      let answer = try scratch.send(request, cancellation)
      guard answer.isSuccess else { return answer.status == 412 || answer.status == 404 }
      try? scratch.deleteNow()
      return false
    }

    /// Replaces a version, and remembers the form of its tag if the server accepts it.
    private func put(
      _ request: RemoteRequest, replacing version: ObjectVersion, as form: StoreFindings.TagForm,
      _ cancellation: Cancellation
    ) throws(RemoteError) -> ObjectVersion {
      let tag = form == .quoted ? "\"\(version.tag)\"" : version.tag
      let written = try put(request, header: ("If-Match", tag), cancellation)
      findings?.note(form)
      return written
    }

    private func put(
      _ request: RemoteRequest, header: (String, String)?, _ cancellation: Cancellation
    ) throws(RemoteError) -> ObjectVersion {
      var request = request
      if let header { request.headers.append((name: header.0, value: header.1)) }
      let answer: RemoteAnswer
      do throws(RemoteError) {
        answer = try send(request, cancellation)
      } catch {
        guard error.leavesOutcomeOpen else { throw error }
        return try writtenVersion(request, after: error)
      }
      if answer.isSuccess { return try version(of: answer, request, cancellation) }
      let refusal = answer.refusal(of: request)
      guard refusal.code == .changedMeanwhile, answer.attemptCount > 1 else { throw refusal }
      // An earlier attempt may have been executed without an answer.
      return try writtenVersion(request, after: refusal)
    }

    /// The version that a write has made; the object is read back when a proxy has removed the header.
    ///
    /// Another writer may have replaced it meanwhile, so the version that is read back counts only with the same bytes.
    private func version(
      of answer: RemoteAnswer, _ request: RemoteRequest, _ cancellation: Cancellation
    ) throws(RemoteError) -> ObjectVersion {
      if answer.version.isUsable { return answer.version }
      do throws(RemoteError) {
        return try version(holding: request.body, cancellation) ?? answer.version
      } catch {
        return answer.version
      }
    }

    /// Reads the object back; throws `failure` if it has other bytes than those that were sent.
    private func writtenVersion(
      _ request: RemoteRequest, after failure: RemoteError
    ) throws(RemoteError) -> ObjectVersion {
      do throws(RemoteError) {
        // The object is read even if the task of the caller is cancelled, since only this tells whether it was written.
        if let version = try version(holding: request.body) { return version }
      } catch {
        throw failure.leavingOutcomeUnknown(of: request.name)
      }
      throw failure
    }

    /// The version of the object; nil if it has other bytes than these, or is absent.
    func version(
      holding bytes: [UInt8], _ cancellation: Cancellation = Cancellation()
    ) throws(RemoteError) -> ObjectVersion? {
      do throws(RemoteError) {
        guard let found = try getNow(upTo: bytes.count, cancellation) else { return nil }
        return found.bytes == bytes ? found.version : nil
      } catch {
        guard error.code == .answerTooLarge else { throw error }
        return nil
      }
    }
  }

  extension RemoteAnswer {
    /// The version that the answer states.
    var version: ObjectVersion { ObjectVersion(header: header("ETag") ?? "") }
  }
#endif
