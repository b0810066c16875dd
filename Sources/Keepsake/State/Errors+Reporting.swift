import Dispatch
import KeepsakeRestoration
import KeepsakeSeal

extension KeepsakeError {
  /// Does something with files; a failure means that the store cannot be used.
  static func access<T>(_ work: () throws(SealError) -> T) throws(KeepsakeError) -> T {
    do throws(SealError) {
      return try work()
    } catch {
      throw KeepsakeError(.storeUnavailable, error)
    }
  }
}

extension RestorationError {
  /// Does something, and says of a failure what the engine decides by.
  static func reporting<T>(
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
      if error.code.isAboutKey {
        .keyUnavailable
      } else {
        error.code == .damaged ? .damaged : .storeUnavailable
      }
    self.init(code, error.message)
  }
}

extension DispatchQueue {
  /// Does work on this queue, never on a thread of the cooperative pool, which must not block.
  nonisolated(nonsending) func result<T: Sendable, Failure: Error>(
    of work: @escaping @Sendable () throws(Failure) -> T
  ) async -> Result<T, Failure> {
    await withCheckedContinuation { continuation in
      async { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
    }
  }
}
