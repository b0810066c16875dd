package import Dispatch
import KeepsakeFiles
import KeepsakeJournal
public import KeepsakeRestoration
import KeepsakeSeal
import Synchronization

extension KeepsakeError {
  /// Runs work on files; a failure becomes `storeUnavailable` or `durabilityUnknown`.
  static func access<T>(_ work: () throws(SealError) -> T) throws(KeepsakeError) -> T {
    do throws(SealError) {
      return try work()
    } catch {
      throw KeepsakeError(changing: error)
    }
  }

  /// Runs work on files that are not sealed.
  package static func access<T>(_ work: () throws(FileError) -> T) throws(KeepsakeError) -> T {
    do throws(FileError) {
      return try work()
    } catch {
      throw KeepsakeError(changing: error)
    }
  }

  /// Runs work on the journal of a value.
  static func access<T>(_ work: () throws(JournalError) -> T) throws(KeepsakeError) -> T {
    do throws(JournalError) {
      return try work()
    } catch {
      throw KeepsakeError(error)
    }
  }
}

extension KeepsakeError {
  /// Runs the work before the point of no return of a save, such as making its directory and its key.
  ///
  /// When that work may not be durable, the save itself was not made, but `durabilityUnknown` would say that it was.
  static func preparing<T>(
    _ work: () throws(KeepsakeError) -> T
  ) throws(KeepsakeError) -> T {
    do throws(KeepsakeError) {
      return try work()
    } catch {
      guard error.code == .durabilityUnknown else { throw error }
      throw KeepsakeError(
        .storeUnavailable, "Nothing was saved. \(error.message)", at: error.path,
        underlyingError: error.underlyingError)
    }
  }

  /// The cause of the error, without the advice that is meant for a call that changed nothing.
  ///
  /// Use it in a message that says what a call had done before it failed.
  var cause: String {
    (underlyingError as? SealError).map { $0.message + "." } ?? message
  }

  /// The error of a call that failed after its point of no return: its message first says what was done.
  func after(_ done: String, _ next: String = "") -> KeepsakeError {
    KeepsakeError(
      code, "\(done) But this failed: \(cause)" + (next.isEmpty ? "" : " \(next)"), at: path,
      underlyingError: underlyingError)
  }
}

extension RestorationError.Code {
  /// The state in the directory was saved for another application or session.
  public static let wrongPurpose = Self(rawValue: "wrongPurpose")
  /// The state is older than its pin: an earlier state has replaced it.
  public static let staleState = Self(rawValue: "staleState")
  /// The pin of the state cannot be read, so it is unknown whether the state is the latest one.
  public static let freshnessUnavailable = Self(rawValue: "freshnessUnavailable")
  /// The state was saved, but its pin was not stored; the next save tries again.
  public static let pinNotKept = Self(rawValue: "pinNotKept")
  /// The change is in place and visible, but a power cut may still undo it.
  public static let durabilityUnknown = Self(rawValue: "durabilityUnknown")
}

extension RestorationError {
  /// Runs work, and converts its error to one with the code that the engine needs.
  package static func reporting<T>(
    _ work: () throws(KeepsakeError) -> T
  ) throws(RestorationError) -> T {
    do throws(KeepsakeError) {
      return try work()
    } catch {
      throw RestorationError(error)
    }
  }

  init(_ error: KeepsakeError) {
    let code: Code =
      switch error.code {
      case _ where error.code.isAboutKey: .keyUnavailable
      case .damaged, .wrongPurpose, .staleState, .freshnessUnavailable, .pinNotKept,
        .durabilityUnknown:
        Code(rawValue: error.code.rawValue)
      default: .storeUnavailable
      }
    self.init(code, error.message, underlyingError: error)
  }
}

extension DispatchQueue {
  /// Runs work on this queue, never on a thread of the cooperative pool, which must not block.
  ///
  /// The objects that the work captures, such as a store with its lock, are released before the caller continues: the
  /// queue itself would release the block only some time after it has run.
  package nonisolated(nonsending) func result<T: Sendable, Failure: Error>(
    of work: @escaping @Sendable () throws(Failure) -> T
  ) async -> Result<T, Failure> {
    await withCheckedContinuation { continuation in
      let waiting = OneTimeWork(work, continuation)
      async { waiting.run() }
    }
  }
}

/// Work that is released after it has run once.
final class OneTimeWork<T: Sendable, Failure: Error>: Sendable {
  private let work: Mutex<(@Sendable () throws(Failure) -> T)?>
  private let continuation: CheckedContinuation<Result<T, Failure>, Never>

  init(
    _ work: @escaping @Sendable () throws(Failure) -> T,
    _ continuation: CheckedContinuation<Result<T, Failure>, Never>
  ) {
    self.work = Mutex(work)
    self.continuation = continuation
  }

  func run() {
    guard let result = result() else { return }
    continuation.resume(returning: result)
  }

  /// The result; the work is released by then.
  private func result() -> Result<T, Failure>? {
    let work = work.withLock { work in
      defer { work = nil }
      return work
    }
    return work.map { work in Result { () throws(Failure) in try work() } }
  }
}
