import Dispatch
public import KeepsakeRestoration
import KeepsakeSeal

extension KeepsakeError {
  /// Does something with files; a failure means that the store cannot be used, or that a change may not
  /// be durable.
  static func access<T>(_ work: () throws(SealError) -> T) throws(KeepsakeError) -> T {
    do throws(SealError) {
      return try work()
    } catch {
      throw KeepsakeError(changing: error)
    }
  }
}

extension RestorationError.Code {
  /// The state in the directory was saved for another application or session.
  public static let wrongPurpose = Self(rawValue: "wrongPurpose")
  /// The state is older than its pin: an earlier one was put in its place.
  public static let staleState = Self(rawValue: "staleState")
  /// The pin of the state cannot be read, so whether it is the last one is not known.
  public static let freshnessUnavailable = Self(rawValue: "freshnessUnavailable")
  /// The state was saved, and its pin was not kept; the next save tries again.
  public static let pinNotKept = Self(rawValue: "pinNotKept")
  /// The change is in place and visible, but a power cut may still undo it.
  public static let durabilityUnknown = Self(rawValue: "durabilityUnknown")
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
      switch error.code {
      case _ where error.code.isAboutKey: .keyUnavailable
      case .damaged, .wrongPurpose, .staleState, .freshnessUnavailable, .pinNotKept,
        .durabilityUnknown:
        Code(rawValue: error.code.rawValue)
      default: .storeUnavailable
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
