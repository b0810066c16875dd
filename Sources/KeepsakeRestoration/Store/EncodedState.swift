/// The state of an application at one moment, encoded and not yet written.
public struct EncodedState: Sendable {
  /// What the state holds, and what was left out.
  public let report: SaveReport
  /// The archive; `nil` when the application declined to save.
  let archive: [UInt8]?
}
