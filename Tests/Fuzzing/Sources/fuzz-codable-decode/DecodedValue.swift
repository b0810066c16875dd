internal import Foundation

/// Any stored value, decoded by trying one type after the other.
indirect enum DecodedValue: Codable, Equatable {
  case null
  case flag(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case wide(Int128)
  case unsignedWide(UInt128)
  case float(DecodedNumber<Double>)
  case text(String)
  case data(Data)
  case date(DecodedDate)
  case identifier(UUID)
  case link(URL)
  case array([DecodedValue])
  case keyed([String: DecodedValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .flag(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .unsigned(value)
    } else if let value = try? container.decode(Int128.self) {
      self = .wide(value)
    } else if let value = try? container.decode(UInt128.self) {
      self = .unsignedWide(value)
    } else if let value = try? container.decode(DecodedNumber<Double>.self) {
      self = .float(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode(Data.self) {
      self = .data(value)
    } else if let value = try? container.decode(DecodedDate.self) {
      self = .date(value)
    } else if let value = try? container.decode(UUID.self) {
      self = .identifier(value)
    } else if let value = try? container.decode(URL.self) {
      self = .link(value)
    } else if (try? decoder.unkeyedContainer()) != nil {
      self = .array(try container.decode([DecodedValue].self))
    } else {
      self = .keyed(try container.decode([String: DecodedValue].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .unsigned(let value): try container.encode(value)
    case .wide(let value): try container.encode(value)
    case .unsignedWide(let value): try container.encode(value)
    case .float(let value): try container.encode(value)
    case .text(let value): try container.encode(value)
    case .data(let value): try container.encode(value)
    case .date(let value): try container.encode(value)
    case .identifier(let value): try container.encode(value)
    case .link(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .keyed(let value): try container.encode(value)
    }
  }
}
