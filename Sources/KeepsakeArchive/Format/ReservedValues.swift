/// The archive's facts about itself: its program, its time and its interface.
///
/// The caller passes these values: the library reads no clock and no system version, so the same input gives the same
/// bytes. They are read back through ``Archive/reserved``, and through the reserved keys of every object's decoder
/// (Spec/archive.md, 3.2).
public struct ReservedValues: Hashable, Sendable {
  /// The version of the program that wrote the archive, such as "11.0".
  public var bundleVersion: String?
  /// The user interface idiom that the program runs under.
  public var userInterfaceIdiom: Int?
  /// When the state was saved.
  public var timestamp: ArchiveDate?
  /// The version of the operating system.
  public var systemVersion: String?

  /// Makes a set of reserved values; a nil is not written.
  public init(
    bundleVersion: String? = nil, userInterfaceIdiom: Int? = nil, timestamp: ArchiveDate? = nil,
    systemVersion: String? = nil
  ) {
    self.bundleVersion = bundleVersion
    self.userInterfaceIdiom = userInterfaceIdiom
    self.timestamp = timestamp
    self.systemVersion = systemVersion
  }
}

extension ReservedValues {
  /// The keys in the order of their numbers, which start at 1 (Spec/archive.md, 3.2).
  static let keys: [ArchiveKey] = [
    .bundleVersion, .userInterfaceIdiom, .timestamp, .systemVersion,
  ]
  /// The tags of the values, in the same order.
  static let tags: [ArchiveTag] = [.string, .int64, .date, .string]

  /// The key of a number; nil for an unknown number.
  package static func key(ofNumber number: UInt8) -> ArchiveKey? {
    1...UInt8(keys.count) ~= number ? keys[Int(number) - 1] : nil
  }

  /// The values that are not nil, as they are stored.
  package var entries: [ArchiveValueEntry] {
    // Most archives have none.
    if self == ReservedValues() { return [] }
    func bytes(_ word: some FixedWidthInteger) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    let values: [[UInt8]?] = [
      bundleVersion.map { Array($0.utf8) },
      userInterfaceIdiom.map { bytes(Int64($0)) },
      timestamp.map { bytes($0.secondsSinceReferenceDate.bitPattern) },
      systemVersion.map { Array($0.utf8) },
    ]
    return values.indices.compactMap { index in
      values[index].map {
        ArchiveValueEntry(number: UInt8(index + 1), tag: Self.tags[index], bytes: $0)
      }
    }
  }

  /// Takes the values out of the archive values that were read.
  init(_ rows: [ArchiveValueRow], of bytes: ByteRegion) throws(ArchiveError) {
    self.init()
    for row in rows {
      guard let key = Self.key(ofNumber: row.number) else { continue }
      if row.tag == .string {
        guard let text = bytes.string(in: row.range) else { throw ArchiveError.badText(row.range) }
        if key == .bundleVersion { bundleVersion = text } else { systemVersion = text }
      } else {
        let bits = bytes.load(UInt64.self, at: row.range.lowerBound) ?? 0
        if key == .timestamp {
          timestamp = ArchiveDate(secondsSinceReferenceDate: Double(bitPattern: bits))
        } else {
          userInterfaceIdiom = Int(truncatingIfNeeded: bits)
        }
      }
    }
  }
}

// The reserved values can be read without the rest of an archive (Spec/archive.md, 7.1).

extension ReservedValues {
  /// Reads the reserved values of an archive, and nothing else.
  ///
  /// For programs that decide by the bundle version whether an archive is theirs. The bytes may end after the archive
  /// values. The rest is checked when it is opened as an ``Archive``.
  ///
  /// - Throws: ``ArchiveError`` when the bytes are not an archive, are cut short, or contradict the format
  ///   (Spec/archive.md, 3.1 and 3.2).
  public init(ofArchive bytes: [UInt8]) throws(ArchiveError) {
    let region = ByteRegion(bytes)
    let end = try ArchiveHeader.read(region)
    guard end <= bytes.count else { throw ArchiveError.endsInValues(bytes.count) }
    self = try ReservedValues(ArchiveValueRow.read(region, to: end), of: region)
  }
}

extension ArchiveError {
  static func endsInValues(_ offset: Int) -> ArchiveError {
    ArchiveError(.truncated, "the archive ends inside its archive values", offset: offset)
  }
}

/// A point in time, exactly as Foundation's `Date` holds it.
public struct ArchiveDate: Hashable, Sendable {
  /// Seconds since 2001-01-01 00:00:00 UTC; negative before.
  public var secondsSinceReferenceDate: Double

  /// Makes a point in time of its seconds since 2001-01-01 00:00:00 UTC, negative before.
  public init(secondsSinceReferenceDate: Double) {
    self.secondsSinceReferenceDate = secondsSinceReferenceDate
  }
}
