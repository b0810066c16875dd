internal import Foundation

/// Ends the process because an input broke a promise; prints the promise, also in a release build.
///
/// - Parameter promise: The broken promise.
public func broken(_ promise: String) -> Never {
  FileHandle.standardError.write(Data("a promise is broken: \(promise)\n".utf8))
  preconditionFailure("a promise is broken")
}
