/// The fixed numbers of the format (Spec/archive.md, sections 3 and 4).
enum FormatConstants {
  /// 89 "KSA" 0D 0A 1A 0A: not text, and damaged by any transfer that converts line ends.
  static let magic: UInt64 = 0x0A1A_0A0D_4153_4B89
  static let version: UInt16 = 0
  static let headerByteCount = 64
  static let segmentMarker: UInt32 = 0x6745_534B  // "KSEg"
  static let segmentHeaderByteCount = 64
  static let footerMarker: UInt32 = 0x7846_534B  // "KSFx"
  static let footerHeaderByteCount = 64
  static let segmentRowByteCount = 32
  static let tailMarker: UInt32 = 0x6454_534B  // "KSTd"
  static let tailByteCount = 32
  static let nameRowByteCount = 16
  static let shapeHeaderByteCount = 16
  static let slotRowByteCount = 8
  static let recordHeaderByteCount = 4
  /// An entry of a record directory, or of the list of conditional references.
  static let directoryEntryByteCount = 4
  /// The least that a record takes: its head, and its entry of the record directory.
  static let leastRecordByteCount = recordHeaderByteCount + directoryEntryByteCount
  static let arrayHeaderByteCount = 8
  /// A segment ends with the first record that brings its records to this size
  /// (Spec/archive.md, 4.1).
  static let segmentFlushByteCount = 256 * 1024
  /// The most shapes: a number of one has 30 bits (Spec/archive.md, 4.4).
  static let largestShapeCount = 1 << 30
  /// The longest record: it ends within what its directory can state (Spec/archive.md, 4.4).
  static let largestRecordByteCount = Int(UInt32.max) - segmentFlushByteCount
}
