import KeepsakeArchive

/// One value on its way into the archive.
enum StagedValue {
  case null
  case bool(Bool)
  case int(Int)
  case int8(Int8)
  case int16(Int16)
  case int32(Int32)
  case int64(Int64)
  case uint(UInt)
  case uint8(UInt8)
  case uint16(UInt16)
  case uint32(UInt32)
  case uint64(UInt64)
  case float(Float)
  case double(Double)
  case string(String)
  /// A value of a kind of its own, such as a date.
  indirect case native(any ArchiveValue)
  /// What a container holds, or will.
  case node(NodeEncoder)
}

extension StagedValue: ArchiveValue {
  /// The tag of a nil, since the kind is known only of each single value.
  static var archiveTag: ArchiveTag { .null }

  func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    switch self {
    case .null: ArchivedValue.null.encode(to: &encoder, at: place)
    case .bool(let value): value.encode(to: &encoder, at: place)
    case .int(let value): value.encode(to: &encoder, at: place)
    case .int8(let value): value.encode(to: &encoder, at: place)
    case .int16(let value): value.encode(to: &encoder, at: place)
    case .int32(let value): value.encode(to: &encoder, at: place)
    case .int64(let value): value.encode(to: &encoder, at: place)
    case .uint(let value): value.encode(to: &encoder, at: place)
    case .uint8(let value): value.encode(to: &encoder, at: place)
    case .uint16(let value): value.encode(to: &encoder, at: place)
    case .uint32(let value): value.encode(to: &encoder, at: place)
    case .uint64(let value): value.encode(to: &encoder, at: place)
    case .float(let value): value.encode(to: &encoder, at: place)
    case .double(let value): value.encode(to: &encoder, at: place)
    case .string(let value): value.encode(to: &encoder, at: place)
    case .native(let value): value.encode(to: &encoder, at: place)
    case .node(let node): node.write(to: &encoder, at: place)
    }
  }

  /// Staged values are written only; they are read as what was written.
  init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    throw ArchiveError(.invalidValue, "a staged value is not read")
  }
}
