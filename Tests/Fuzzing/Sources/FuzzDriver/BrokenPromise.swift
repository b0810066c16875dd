internal import Foundation

/// Ends the process, since an input broke a promise; says which one, also in a release build.
///
/// - Parameter promise: What did not hold.
public func broken(_ promise: String) -> Never {
  FileHandle.standardError.write(Data("a promise is broken: \(promise)\n".utf8))
  preconditionFailure("a promise is broken")
}
