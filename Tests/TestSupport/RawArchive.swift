// Archives that are built byte by byte (Spec/archive.md), also those that no writer makes: with many values in
// few bytes.

/// The parts of an archive, and the bytes that they make.
package struct RawArchive {
  package var keys: [[UInt8]] = []
  package var types: [[UInt8]] = []
  package var shapes: [[UInt8]] = []
  /// The bodies of each segment, all of one shape.
  package var segments: [(bodies: [[UInt8]], shape: UInt32)] = []

  /// The flag of a segment whose bodies all have the width of their shape.
  package static let fixedWidth: UInt32 = 1 << 31

  package init() {}

  /// A key, a scope (`space` 2) or a case (`space` 3).
  package static func key(_ name: String, space: UInt8 = 0, scope: UInt32? = nil) -> [UInt8] {
    let isLong = name.utf8.count > 255
    var bytes = [space | (scope == nil ? 0 : 4) | (isLong ? 8 : 0)]
    bytes += isLong ? word(UInt16(name.utf8.count)) : [UInt8(name.utf8.count)]
    if let scope { bytes += word(scope) }
    return bytes + name.utf8
  }

  /// One scope for each name, each inside the one before it.
  package static func scopes(_ names: [String]) -> [[UInt8]] {
    names.enumerated().map {
      key($0.element, space: 2, scope: $0.offset == 0 ? nil : UInt32($0.offset - 1))
    }
  }

  package static func type(_ name: String) -> [UInt8] {
    let isLong = name.utf8.count > 255
    return [isLong ? 8 : 0] + (isLong ? word(UInt16(name.utf8.count)) : [UInt8(name.utf8.count)])
      + name.utf8
  }

  package static func shape(type: UInt16, _ words: [UInt32]) -> [UInt8] {
    word(type) + word(UInt16(words.count)) + words.flatMap { word($0) }
  }

  package static func slot(
    _ tag: UInt32, _ key: Int, isNullable: Bool = false, omitsNil: Bool = false
  ) -> UInt32 {
    tag | (isNullable ? 1 << 8 : 0) | (omitsNil ? 1 << 9 : 0) | UInt32(key) << 12
  }

  package static func word(_ number: some FixedWidthInteger) -> [UInt8] {
    stride(from: 0, to: number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// The bytes; the root is the first object.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = [0x89, 0x4B, 0x53, 0x41, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += Self.word(1 as UInt16) + Self.word(0 as UInt16) + Self.word(0 as UInt32)
    bytes += Self.word(0 as UInt32)
    var rows: [UInt8] = []
    var first: UInt32 = 1
    for (index, segment) in segments.enumerated() {
      let isLast = index + 1 == segments.count
      let length = segment.bodies.reduce(0) { $0 + $1.count }
      rows += Self.word(UInt64(bytes.count)) + Self.word(first) + Self.word(UInt32(length))
      rows += Self.word(segment.shape)
      bytes += (isLast ? "KSEz" : "KSEg").utf8
      bytes += Self.word(UInt32(length)) + Self.word(UInt32(segment.bodies.count))
      bytes += Self.word(segment.shape)
      for body in segment.bodies { bytes += body }
      if segment.shape & Self.fixedWidth == 0 {
        var end = 0
        for body in segment.bodies.dropLast() {
          end += body.count
          bytes +=
            length < 256
            ? [UInt8(end)] : length < 65_536 ? Self.word(UInt16(end)) : Self.word(UInt32(end))
        }
      }
      if !isLast { bytes += [UInt8](repeating: 0, count: 20) }
      first += UInt32(segment.bodies.count)
    }
    let footer = bytes.count
    let entries = (keys + types + shapes).reduce(into: []) { $0 += $1 }
    bytes += Self.word(UInt32(keys.count)) + Self.word(UInt32(types.count))
    bytes += Self.word(UInt32(shapes.count)) + Self.word(0 as UInt32)
    bytes += Self.word(UInt32(entries.count)) + entries + rows
    return bytes + "KSTd".utf8 + Self.word(UInt32(segments.count)) + Self.word(first - 1)
      + Self.word(1 as UInt32) + Self.word(UInt64(footer))
  }
}
