import KeepsakeArchive

/// One value on its way into the archive.
enum StagedValue {
  /// A value of up to 16 bytes: its lower and its upper bits.
  case word(UInt64, UInt64, ArchiveTag)
  case text(String, ArchiveTag)
  case bytes([UInt8])
  /// What a container holds, or will.
  case node(NodeEncoder)

  static var null: StagedValue { .word(0, 0, .null) }

  static func bool(_ value: Bool) -> StagedValue { .word(value ? 1 : 0, 0, .bool) }

  static func string(_ value: String) -> StagedValue { .text(value, .string) }

  static func double(_ value: Double) -> StagedValue { .word(value.bitPattern, 0, .double) }

  static func float(_ value: Float) -> StagedValue { .word(UInt64(value.bitPattern), 0, .float) }

  static func integer(_ value: some FixedWidthInteger, _ tag: ArchiveTag) -> StagedValue {
    .word(UInt64(truncatingIfNeeded: value), 0, tag)
  }
}

extension StagedValue {
  /// Gives the place that is open in the archive this value; false when it has one.
  func write(to assembler: RecordAssembler, of serial: Int) -> Bool {
    switch self {
    case .word(let low, let high, let tag): assembler.set(low, high, tag, of: serial)
    case .text(let text, let tag): assembler.set(text, tag, of: serial)
    case .bytes(let bytes): assembler.set(bytes, of: serial)
    case .node(let node): node.write(to: assembler)
    }
  }
}
