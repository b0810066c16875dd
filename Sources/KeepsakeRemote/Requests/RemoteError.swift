#if Remote
  public import Foundation
  import Keepsake

  /// An error of a request to a web server or an object store.
  ///
  /// The message names the request and never holds a secret: no key, no session token, and no query of an
  /// address. Errors are compared without ``underlyingError``.
  public struct RemoteError: Error, Equatable, Sendable {
    /// The kind of an error; new codes may be added, so a `switch` over them needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable {
      /// The stable name of the code.
      public let rawValue: String

      /// Creates a code from its name.
      ///
      /// - Parameter rawValue: The stable name, for example `"changedMeanwhile"`.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// The address, the name of the bucket or the key of the object cannot be used.
      public static let invalidAddress = Code(rawValue: "invalidAddress")
      /// The environment and the shared files have no credentials.
      public static let credentialsAbsent = Code(rawValue: "credentialsAbsent")
      /// The server refused the credentials, or they do not permit the request.
      public static let accessDenied = Code(rawValue: "accessDenied")
      /// There is no object at the address.
      public static let absent = Code(rawValue: "absent")
      /// The object is not the version that the request expected; nothing was written.
      public static let changedMeanwhile = Code(rawValue: "changedMeanwhile")
      /// The server does not send the requested range: it sent the whole, another range, or an object of another size.
      public static let rangeRefused = Code(rawValue: "rangeRefused")
      /// The server does not support conditional writes, or not reliably, so two writers could overwrite each other.
      public static let conditionsUnsupported = Code(rawValue: "conditionsUnsupported")
      /// The answer is not one that the protocol allows.
      public static let malformedAnswer = Code(rawValue: "malformedAnswer")
      /// The answer is longer than the limit of the caller.
      public static let answerTooLarge = Code(rawValue: "answerTooLarge")
      /// The server cannot be reached, or the connection ended before the answer was complete.
      public static let unreachable = Code(rawValue: "unreachable")
      /// The certificate of the server is not trusted, so nothing was sent.
      public static let certificateUntrusted = Code(rawValue: "certificateUntrusted")
      /// The answer did not arrive in time.
      public static let timedOut = Code(rawValue: "timedOut")
      /// The server failed, or asks for fewer requests.
      public static let serverFailed = Code(rawValue: "serverFailed")
      /// The server refused the request for another reason, which the message states.
      public static let requestRefused = Code(rawValue: "requestRefused")
      /// The object may or may not have been written: no answer arrived, and reading it back failed too.
      public static let outcomeUnknown = Code(rawValue: "outcomeUnknown")
      /// The object is not a sealed state of this app that one of the keys opens, or is older than the last one.
      public static let stateRefused = Code(rawValue: "stateRefused")
      /// The task of the caller was cancelled.
      public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The kind of the error.
    public let code: Code
    package let message: String
    /// The method and the address of the request, without secrets; nil without one.
    public let request: String?
    /// The status of the last answer, such as 503; nil without one.
    public let status: Int?
    /// The error that led to this one, if there is one.
    public var underlyingError: (any Error)? { underlying.error }

    private let underlying: UnderlyingError

    init(
      _ code: Code, _ message: String, request: String? = nil, status: Int? = nil,
      underlyingError: (any Error)? = nil
    ) {
      self.code = code
      self.message = (request.map { "\($0): " } ?? "").displayed + message.displayed
      self.request = request
      self.status = status
      underlying = UnderlyingError(underlyingError)
    }

    /// True when the same request may succeed a moment later.
    var isTransient: Bool {
      [.unreachable, .timedOut, .serverFailed].contains(code)
    }

    /// True when the server may have executed the request although it reported no success.
    var leavesOutcomeOpen: Bool { isTransient || code == .cancelled }

    /// The error of a write that ended with this one, and whose object could not be read back.
    func leavingOutcomeUnknown(of request: String) -> RemoteError {
      RemoteError(
        .outcomeUnknown,
        "No answer arrived, and the object could not be read back, so it may or may not have been written. Read it "
          + "before you write it again.", request: request, status: status, underlyingError: self)
    }
  }

  extension RemoteError: CustomStringConvertible, LocalizedError {
    /// Full sentences: the request, what happened, and what to do next; without secrets.
    public var description: String { message }
    /// The description.
    public var errorDescription: String? { message }
  }
#endif
