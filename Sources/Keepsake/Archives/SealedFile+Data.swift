public import KeepsakeFiles
public import KeepsakeSeal

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension SealedFile {
  /// Seals `plaintext` into the file at `path`, and replaces an existing file, as the overload with a span does.
  @discardableResult
  public static func seal(
    _ plaintext: Data, to path: some FilePathConvertible, for recipients: [SealRecipient],
    options: SealOptions = SealOptions(), progress: SealProgress.Observer? = nil
  ) throws(SealError) -> SealedFileSummary {
    try seal(Array(plaintext), to: path, for: recipients, options: options, progress: progress)
  }

  /// Seals `plaintext` into data, for a store that is not a file system, as the overload with a span does.
  public static func seal(
    _ plaintext: Data, for recipients: [SealRecipient], options: SealOptions = SealOptions()
  ) throws(SealError) -> Data {
    Data(try seal(Array(plaintext), for: recipients, options: options))
  }
}

extension SealedFile {
  /// Opens the data of a whole sealed file that did not come from a file system.
  ///
  /// The other parameters and the errors are those of `open(_:with:context:expecting:policy:)`.
  public static func open(
    data: Data, with identities: [SealIdentity], context: [UInt8] = [],
    expecting expectation: SealExpectation = .nothing, policy: SealPolicy = .default
  ) throws(SealError) -> SealedFile {
    try open(
      bytes: Array(data), with: identities, context: context, expecting: expectation, policy: policy
    )
  }
}
