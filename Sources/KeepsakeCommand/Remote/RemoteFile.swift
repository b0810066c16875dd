#if Remote
  import CommandSupport
  import Keepsake
  import KeepsakeRemote

  /// A file on a server, whose parts are fetched when they are needed.
  final class RemoteFile: PositionedSource {
    private let source: RemoteSource
    var byteCount: Int { source.byteCount }

    /// Requests the beginning of the file.
    init(_ address: RemoteAddress) throws {
      let object = try address.object()
      source = try RemoteTask.value { () throws(RemoteError) in try await RemoteSource.open(object)
      }
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
    /// The object that the address names; no request is sent.
    func object() throws -> RemoteObject {
      do throws(RemoteError) {
        guard isInStore else { return try RemoteObject(url: text) }
        let place = text.dropFirst("s3://".count)
        let bucket = place.prefix { $0 != "/" }
        return try Self.store(String(bucket)).object(String(place.dropFirst(bucket.count + 1)))
      } catch {
        throw Failure(error)
      }
    }

    /// A bucket at the endpoint that the user has set for all tools; without one, that of Amazon.
    private static func store(_ bucket: String) throws(RemoteError) -> ObjectStore {
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
    /// Runs work, and waits for its result; `register` receives the task before the wait.
    static func value<T: Sendable>(
      registering register: (Task<Result<T, RemoteError>, Never>) -> Void = { _ in },
      of work: @escaping @Sendable () async throws(RemoteError) -> T
    ) throws -> T {
      let task = Task.detached { () -> Result<T, RemoteError> in
        do throws(RemoteError) {
          return .success(try await work())
        } catch {
          return .failure(error)
        }
      }
      register(task)
      let result = Monitor<Result<T, RemoteError>?>(nil)
      Task.detached {
        let found = await task.value
        result.withLock { $0 = found }
      }
      result.wait { $0 != nil }
      switch result.withLock({ $0 }) {
      case .success(let value): return value
      case .failure(let error): throw Failure(error)
      case nil: throw Failure("A request ended without a result; try it again.", .inputOutput)
      }
    }
  }
#endif
