#if Remote
  import CommandSupport
  import Keepsake
  import KeepsakeRemote

  /// A file on a server, whose parts are fetched when they are needed.
  struct RemoteFile: PositionedSource {
    private let source: RemoteSource
    var byteCount: Int { source.byteCount }

    /// Requests the beginning of the file.
    init(_ object: RemoteObject) throws {
      let source = try RemoteTask.value { () throws(RemoteError) in
        try await RemoteSource.open(object)
      }
      RemoteRequests.whenCancelled {
        // A source is cancelled by cancelling a task that uses it.
        Task.detached { try await source.perform { _ in } }.cancel()
      }
      self.source = source
    }

    func read(_ range: Range<Int>) throws -> [UInt8] {
      do {
        return try source.read(range)
      } catch let error as RemoteError {
        throw Failure(error)
      }
    }
  }

  extension RemoteAddress {
    /// The name of the bucket in an address of an object store.
    var bucket: String { String(text.dropFirst("s3://".count).prefix { $0 != "/" }) }

    var key: String { String(text.dropFirst("s3://".count + bucket.count + 1)) }

    /// The object that the address names; no request is sent.
    func object() throws -> RemoteObject {
      do throws(RemoteError) {
        return try isInStore ? Self.store(bucket).object(key) : RemoteObject(url: text)
      } catch {
        throw Failure(error)
      }
    }

    /// A bucket at the endpoint that the user has set for all tools; without one, that of Amazon.
    static func store(_ bucket: String) throws(RemoteError) -> ObjectStore {
      let profile = try ObjectStoreProfile.current()
      let region = profile.region ?? "us-east-1"
      return try ObjectStore(
        bucket: bucket, at: profile.endpoint ?? "https://s3.\(region).amazonaws.com",
        region: region, credentials: profile.credentials)
    }
  }

  extension Failure {
    /// The failure for an error of a request.
    init(_ error: RemoteError) {
      let status: ExitStatus =
        switch error.code {
        case .invalidAddress: .usage
        case .absent: .noInput
        default: .inputOutput
        }
      self.init(error.message, status)
    }
  }

  /// Work of the client of object stores, for verbs that block.
  enum RemoteTask {
    /// Runs work, and waits for its result.
    static func value<T: Sendable>(
      of work: @escaping @Sendable () async throws(RemoteError) -> T
    ) throws -> T {
      let result = Monitor<Result<T, RemoteError>?>(nil)
      let task = Task.detached {
        let found: Result<T, RemoteError>
        do throws(RemoteError) {
          found = .success(try await work())
        } catch {
          found = .failure(error)
        }
        result.withLock { $0 = found }
      }
      RemoteRequests.whenCancelled { task.cancel() }
      result.wait { $0 != nil }
      switch result.withLock({ $0 }) {
      case .success(let value): return value
      case .failure(let error): throw Failure(error)
      case nil: throw Failure("A request ended without a result; try it again.", .inputOutput)
      }
    }
  }
#endif
