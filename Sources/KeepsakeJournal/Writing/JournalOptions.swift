public import KeepsakeSeal

/// The options of a journal that is opened for appending.
public struct JournalOptions: Sendable {
  /// How long to wait for another writer that has the journal open; by default not at all.
  public var patience: Duration

  /// The rule for beginning a new file.
  public var rotation: JournalRotation

  /// The rule for removing old files when a new one begins; by default all stay.
  public var retention: JournalRetention

  /// The padding of frames, which hides the lengths of their entries; by default the lengths are visible.
  public var padding: SealOptions.Padding

  /// Metadata that anyone can read without a key, in the header of each segment; at most 64 KiB.
  public var publicMetadata: [UInt8]

  /// Milliseconds since 1970; tests pass their own clock.
  var clock: @Sendable () -> Int64 = { WallClock.milliseconds }

  /// The random values of a segment; tests pass their own to reproduce vectors.
  var randomness: @Sendable ([SealRecipient]) throws(SealError) -> SegmentRandomness = {
    recipients throws(SealError) in try SegmentRandomness(freshFor: recipients)
  }

  /// The random identifier of a new journal; nil for a fresh one.
  var journalID: [UInt8]?

  /// Creates options; each has a default.
  public init(
    patience: Duration = .zero, rotation: JournalRotation = JournalRotation(),
    retention: JournalRetention = JournalRetention(), padding: SealOptions.Padding = .none,
    publicMetadata: [UInt8] = []
  ) {
    self.patience = patience
    self.rotation = rotation
    self.retention = retention
    self.padding = padding
    self.publicMetadata = publicMetadata
  }
}

/// The rule by which a journal begins a new file on its own.
public struct JournalRotation: Hashable, Sendable {
  /// The size in bytes at which a file is full, so that the next entry begins a new one; nil for no limit.
  public var size: Int?
  /// The age at which a file is full, so that the next entry begins a new one; nil for no limit.
  ///
  /// A clock that was set back does not begin a new file.
  public var age: Duration?

  /// Creates a rule; by default a file is full at 64 MiB, and at no age.
  public init(size: Int? = 64 << 20, age: Duration? = nil) {
    self.size = size
    self.age = age
  }

  /// True when the next entry is for a new file.
  func isDue(size: UInt64, age: Int64) -> Bool {
    if let limit = self.size, size >= UInt64(clamping: limit) { return true }
    if let limit = self.age, age >= limit.milliseconds { return true }
    return false
  }
}

/// The rule by which old files of a journal are removed; the newest file always stays.
///
/// Each removal is recorded durably before it is done, so that a file that is missing for another reason is
/// reported.
public struct JournalRetention: Hashable, Sendable {
  /// The most files that stay; nil for no limit.
  public var files: Int?
  /// The greatest age that the last entry of a kept file may have, by the clock of the writer; nil for no limit.
  public var age: Duration?
  /// The most bytes that all files may have together; nil for no limit.
  public var size: Int?

  /// Creates a rule; without limits all files stay.
  public init(files: Int? = nil, age: Duration? = nil, size: Int? = nil) {
    self.files = files
    self.age = age
    self.size = size
  }

  /// True when no file is removed.
  var keepsAll: Bool { self == JournalRetention() }
}

extension Duration {
  /// Whole milliseconds, clamped to 64 bits.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return Int64(clamping: Int128(seconds) * 1_000 + Int128(attoseconds / 1_000_000_000_000_000))
  }
}
