#if Remote
  import AsyncHTTPClient
  import Keepsake
  import NIOCore
  import NIOHTTP1

  /// Sends requests and waits for their answers, on threads that may block.
  struct RemoteTransport: Sendable {
    let settings: RemoteSettings
    let cancellation: Cancellation

    /// Adds what each attempt needs, such as the time and the signature.
    typealias Preparation = @Sendable (RemoteRequest) throws(RemoteError) -> RemoteRequest

    // The clients live as long as the process.
    private static let client = HTTPClient(
      eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration(.disallow))
    private static let followingClient = HTTPClient(
      eventLoopGroup: HTTPClient.defaultEventLoopGroup,
      configuration: configuration(.follow(max: 5, allowCycles: false)))

    private static func configuration(
      _ redirection: HTTPClient.Configuration.RedirectConfiguration
    ) -> HTTPClient.Configuration {
      var configuration = HTTPClient.Configuration(redirectConfiguration: redirection)
      configuration.timeout.connect = .seconds(10)
      // Retries are made and counted in `send`.
      configuration.connectionPool.retryConnectionEstablishment = false
      configuration.httpVersion = .http1Only
      return configuration
    }

    /// Sends a request, and retries while a retry may help.
    ///
    /// Each request has to be safe to send twice: a write has a condition, or replaces whatever is there.
    ///
    /// - Throws: ``RemoteError``. An answer whose failure is not transient is returned.
    func send(
      _ request: RemoteRequest, preparing prepare: Preparation
    ) throws(RemoteError) -> RemoteAnswer {
      var attempt = 1
      while true {
        let failure: RemoteError
        var requestedPause: Duration?
        do throws(RemoteError) {
          var answer = try sendOnce(prepare(request))
          answer.attemptCount = attempt
          guard answer.isTransientFailure else { return answer }
          requestedPause = answer.requestedPause
          failure = RemoteError(
            .serverFailed, answer.reason, request: request.name, status: answer.status)
        } catch {
          failure = error
        }
        guard failure.isTransient, attempt < settings.attemptCount else {
          throw failure.counting(attempt)
        }
        try pause(settings.pause(after: attempt, requested: requestedPause), before: request)
        attempt += 1
      }
    }

    private func sendOnce(_ request: RemoteRequest) throws(RemoteError) -> RemoteAnswer {
      guard !cancellation.isCancelled else { throw cancelled(request) }
      do {
        var headers = HTTPHeaders()
        for (name, value) in request.headers { headers.add(name: name, value: value) }
        let body =
          request.body.isEmpty ? nil : HTTPClient.Body.byteBuffer(ByteBuffer(bytes: request.body))
        let client = request.followsRedirections ? Self.followingClient : Self.client
        let task = client.execute(
          request: try HTTPClient.Request(
            url: request.url, method: request.method, headers: headers, body: body),
          delegate: AnswerReceiver(request),
          deadline: .now() + .nanoseconds(min(settings.timeout, .seconds(86_400)).nanoseconds))
        return try cancellation.whileCancellable(by: { task.cancel() }) { try task.wait() }
      } catch {
        throw cancellation.isCancelled ? cancelled(request) : translated(error, of: request)
      }
    }

    private func pause(_ duration: Duration, before request: RemoteRequest) throws(RemoteError) {
      let loop = Self.client.eventLoopGroup.any()
      let scheduled = loop.scheduleTask(in: .nanoseconds(duration.nanoseconds)) {}
      cancellation.whileCancellable(by: { scheduled.cancel() }) {
        // A cancelled pause ends with an error, which the next lines report.
        _ = try? scheduled.futureResult.wait()
      }
      if cancellation.isCancelled { throw cancelled(request) }
    }

    private func cancelled(_ request: RemoteRequest) -> RemoteError {
      RemoteError(.cancelled, "The request was cancelled.", request: request.name)
    }

    /// The error of an attempt that got no answer.
    func translated(_ error: any Error, of request: RemoteRequest) -> RemoteError {
      switch error {
      case let error as RemoteError: return error
      case let error as HTTPClientError:
        switch error {
        case .deadlineExceeded, .readTimeout, .writeTimeout, .connectTimeout, .tlsHandshakeTimeout,
          .getConnectionFromPoolTimeout:
          return RemoteError(
            .timedOut, "The answer did not arrive in time.", request: request.name,
            underlyingError: error)
        case .invalidURL, .emptyHost, .emptyScheme:
          return RemoteError(
            .invalidAddress, "This is not the address of a web server.", request: request.name,
            underlyingError: error)
        case .redirectLimitReached, .redirectCycleDetected:
          return RemoteError(
            .requestRefused, "The server redirects again and again.", request: request.name,
            underlyingError: error)
        default:
          return RemoteError(
            .unreachable, "The connection failed: \(error.shortDescription).",
            request: request.name,
            underlyingError: error)
        }
      default:
        // The first name is one of BoringSSL, the second one of swift-nio-ssl.
        let text = "\(error)"
        guard
          text.contains("CERTIFICATE_VERIFY_FAILED") || text.contains("failedToValidateHostname")
        else {
          return RemoteError(
            .unreachable, "The connection failed: \(text).", request: request.name,
            underlyingError: error)
        }
        let host = (try? HTTPClient.Request(url: request.url))?.host ?? "the server"
        return RemoteError(
          .certificateUntrusted,
          "The certificate of \(host)\(request.followsRedirections ? ", or of a server to which it redirects," : "") "
            + "is not trusted, so no connection was made. It has expired, or is for another host, or this machine does not "
            + "know the authority that signed it. Check the address, or add the authority to the system's certificates.",
          request: request.name, underlyingError: error)
      }
    }
  }

  extension RemoteError {
    /// The error, with the number of attempts if there were several.
    fileprivate func counting(_ attempts: Int) -> RemoteError {
      guard attempts > 1 else { return self }
      let prefix = request.map { "\($0): " } ?? ""
      return RemoteError(
        code, "\(message.dropFirst(prefix.displayed.count)) It was sent \(attempts) times.",
        request: request,
        status: status, underlyingError: underlyingError)
    }
  }
#endif
