/// What is known of an archive when it has been read forward to its end.
public struct ArchiveStreamSummary: Equatable, Sendable {
  /// The length of the archive, in bytes.
  public var byteCount: Int

  /// The number of objects; their ids are 1 to this number.
  public var objectCount: Int

  /// The object that the archive was written from.
  public var rootID: ArchiveObjectID

  /// The objects that conditional references stand for, in the order of their numbers from 1; nil
  /// where the object is not part of the archive.
  public var conditionalObjects: [ArchiveObjectID?]

  /// Whether the archive is what a writer makes of its values (Spec/archive.md, 7.5).
  public var verdict: ArchiveVerdict
}
