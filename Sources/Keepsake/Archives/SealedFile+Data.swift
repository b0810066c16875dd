public import KeepsakeFiles
public import KeepsakeSeal

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension SealedFile {
  /// Seals `plaintext` into the file at `path`, and replaces an existing file.
  ///
  /// - Parameters:
  ///   - plaintext: The bytes to seal.
  ///   - path: A path in an existing directory. A link, directory, pipe or device is refused.
  ///   - recipients: Between 1 and 32 different recipients; each of them can open the file.
  ///   - options: Chunk size, context and metadata.
  ///   - progress: Called with the progress; it can cancel.
  /// - Returns: The public part of the file.
  /// - Throws: `SealError`, as the overload with a span does.
  @discardableResult
  public static func seal(
    _ plaintext: Data, to path: some FilePathConvertible, for recipients: [SealRecipient],
    options: SealOptions = SealOptions(), progress: SealProgress.Observer? = nil
  ) throws(SealError) -> SealedFileSummary {
    try seal(Array(plaintext), to: path, for: recipients, options: options, progress: progress)
  }

  /// Seals `plaintext` into data, for a store that is not a file system.
  ///
  /// - Parameters:
  ///   - plaintext: The bytes to seal.
  ///   - recipients: Between 1 and 32 different recipients.
  ///   - options: Chunk size, context and metadata.
  /// - Returns: A whole sealed file.
  /// - Throws: `SealError`.
  public static func seal(
    _ plaintext: Data, for recipients: [SealRecipient], options: SealOptions = SealOptions()
  ) throws(SealError) -> Data {
    Data(try seal(Array(plaintext), for: recipients, options: options))
  }
}

extension SealedFile {
  /// Opens sealed data that did not come from a file system.
  ///
  /// - Parameters:
  ///   - data: A whole sealed file.
  ///   - identities: The identities to try.
  ///   - context: The bytes that the file was sealed for.
  ///   - expectation: Facts about the file that are known from elsewhere.
  ///   - policy: Limits on the work that a file may cause.
  /// - Returns: The open file; its content is verified when it is read.
  /// - Throws: `SealError`, as `open(_:with:context:expecting:policy:)` does.
  public static func open(
    data: Data, with identities: [SealIdentity], context: [UInt8] = [],
    expecting expectation: SealExpectation = .nothing, policy: SealPolicy = .default
  ) throws(SealError) -> SealedFile {
    try open(
      bytes: Array(data), with: identities, context: context, expecting: expectation, policy: policy
    )
  }

  /// Reads the whole plaintext as data, and verifies every chunk.
  ///
  /// - Returns: The plaintext.
  /// - Throws: `SealError`, as `read(progress:)` does.
  public func readData() throws(SealError) -> Data { Data(try read()) }
}
