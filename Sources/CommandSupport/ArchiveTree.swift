import Foundation
package import Keepsake

/// An archive as text: a tree of its objects, each with its keys, their types and their values.
///
/// In a saved state an object is listed below its parent, with its restoration identifier; in any other archive below
/// the first object that refers to it. Other references show its number. The walk keeps a list of its own and never
/// recurses, so archives may nest to any depth.
package struct ArchiveTree {
  /// The deepest level with an indentation of its own.
  private static let deepestIndentation = 40

  private let archive: Archive
  private var seen: Set<ArchiveObjectID> = []

  package init(_ archive: Archive) {
    self.archive = archive
  }

  /// The lines of the text; call it only once.
  package mutating func lines() throws -> [String] {
    var lines: [String] = []
    try forEachLine { lines.append($0) }
    return lines
  }

  /// Passes on the lines of the text one by one, so that at most one object is in memory.
  package mutating func forEachLine(_ body: (String) throws -> Void) throws {
    try body(heading)
    if let outline = SavedStateOutline(archive) { try append(outline, to: body) }
    if !seen.contains(archive.rootID) { try append(archive.rootID, to: body) }
    var unreached = 0
    for number in 0..<archive.objectCount {
      let id = ArchiveObjectID(UInt32(clamping: number + 1))
      guard !seen.contains(id) else { continue }
      if unreached == 0 { try body("Objects that nothing refers to:") }
      unreached += 1
      try append(id, to: body)
    }
  }

  private var heading: String {
    let reserved = archive.reserved
    let objects = archive.objectCount == 1 ? "1 object" : "\(archive.objectCount) objects"
    var facts = ["Archive: \(archive.byteCount) bytes, \(objects)"]
    if let version = reserved.bundleVersion { facts.append("bundle version \(version)") }
    if let idiom = reserved.userInterfaceIdiom { facts.append("user interface idiom \(idiom)") }
    if let timestamp = reserved.timestamp {
      facts.append("written \(timestamp.text)")
    }
    if let system = reserved.systemVersion { facts.append("on \(system)") }
    return facts.joined(separator: ", ").displayed
  }

  /// Passes on the lines of a saved state: its application, then the trees of its objects.
  private mutating func append(
    _ outline: SavedStateOutline, to body: (String) throws -> Void
  ) throws {
    if let application = outline.applicationID, seen.insert(application).inserted {
      _ = try appendObject(application, depth: 0, to: body)
    }
    var children: [Int?: [Int]] = [:]
    for (place, entry) in outline.entries.enumerated() {
      children[entry.parentIndex, default: []].append(place)
    }
    var pending = (children[nil] ?? []).reversed().map { $0 }
    while let place = pending.popLast() {
      let entry = outline.entries[place]
      pending += (children[place] ?? []).reversed()
      guard seen.insert(entry.objectID).inserted else { continue }
      let role = entry.isPresented ? ", presented" : entry.kind == .node ? "" : ", \(entry.kind)"
      _ = try appendObject(
        entry.objectID, depth: entry.path.count - 1,
        name: "#\(entry.path.identifier)\(role)", to: body)
    }
  }

  private mutating func append(
    _ root: ArchiveObjectID, to body: (String) throws -> Void
  ) throws {
    seen.insert(root)
    var pending = [(id: root, depth: 0)]
    while let (id, depth) = pending.popLast() {
      let references = try appendObject(id, depth: depth, to: body)
      let next = references.filter { seen.insert($0).inserted }
      pending += next.reversed().map { (id: $0, depth: depth + 1) }
    }
  }

  /// Passes on the lines of one object, and returns the objects that it refers to.
  private func appendObject(
    _ id: ArchiveObjectID, depth: Int, name: String = "", to body: (String) throws -> Void
  ) throws -> [ArchiveObjectID] {
    let object = try archive.object(id)
    let indent = String(repeating: "  ", count: min(depth, Self.deepestIndentation))
    let schema = object.schemaVersion == 0 ? "" : ", schema version \(object.schemaVersion)"
    let title = "\(object.typeName)\(name)".displayed
    try body("\(indent)\(id) \(title) (\(object.byteCount) bytes\(schema))")
    var references = References()
    // One field is in memory at a time.
    try object.forEachField { key, value in
      let content = try value.dynamicValue()
      try withoutActuallyEscaping(body) { body in
        try ValueTree(body).write(content, named: key.name, indent: indent + "  ")
      }
      try value.walk(&references)
    }
    return references.found
  }
}

/// The objects that a value refers to, in their order; conditional references are left out.
private struct References: DynamicValueVisitor {
  var found: [ArchiveObjectID] = []

  mutating func visit(_ value: DynamicValue) {
    if case .reference(let id?) = value { found.append(id) }
  }

  mutating func begin(_ container: DynamicContainer) {}
  mutating func end(_ container: DynamicContainer) {}
  mutating func visit(key: DynamicRecord.Field) {}
  mutating func visit(name: String) {}
}

extension ArchiveDate {
  /// The date in the form of ISO 8601, or a number of seconds.
  ///
  /// It has as many fractional digits as an exact round trip needs, and at least three if there are any. A date before
  /// the year 1, after 9999 or with too many digits is given as a number of seconds.
  package var text: String {
    let seconds = secondsSinceReferenceDate
    // Foundation's calendar, whose first day is `Date.distantPast`.
    guard (-63_114_076_800..<252_423_993_600).contains(seconds), let digits = fractionDigits else {
      return "\(seconds)\(Self.unit)"
    }
    let whole = Date(timeIntervalSinceReferenceDate: seconds.rounded(.down)).formatted(.iso8601)
    return digits.isEmpty ? whole : "\(whole.dropLast()).\(digits)Z"
  }

  /// The date of such a text, which may also have an offset such as `+01:00` in place of the `Z`; nil if there is no such
  /// date.
  package init?(text: String) {
    if text.hasSuffix(Self.unit) {
      guard let seconds = try? Double(decimal: String(text.dropLast(Self.unit.count))) else {
        return nil
      }
      self.init(secondsSinceReferenceDate: seconds)
      return
    }
    var rest = text.dropFirst(19)
    var digits: [UInt8] = []
    if rest.first == "." {
      digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }.utf8.map { $0 - 0x30 }
      rest = rest.dropFirst(digits.count + 1)
      if digits.isEmpty { return nil }
    }
    guard let whole = PropertyList.date("\(text.prefix(19))Z"), let offset = Self.offset(rest)
    else { return nil }
    var seconds = Int(whole.secondsSinceReferenceDate - offset)
    while digits.last == 0 { digits.removeLast() }
    let isNegative = seconds < 0
    if isNegative, !digits.isEmpty {
      digits = Self.complement(of: digits)
      seconds += 1
    }
    let decimal = "\(seconds.magnitude).\(Self.text(of: digits))0"
    guard let magnitude = try? Double(decimal: decimal) else { return nil }
    self.init(secondsSinceReferenceDate: isNegative ? -magnitude : magnitude)
  }

  /// The seconds of `Z` or of an offset such as `+01:00`; nil for another text.
  private static func offset(_ zone: Substring) -> Double? {
    if zone == "Z" { return 0 }
    guard let sign = zone.first, sign == "+" || sign == "-",
      let time = PropertyList.date("2001-01-01T\(zone.dropFirst()):00Z")
    else { return nil }
    return sign == "-" ? -time.secondsSinceReferenceDate : time.secondsSinceReferenceDate
  }

  /// Follows a number of seconds in the text of a date.
  private static let unit = " s after 2001"

  /// The most fractional digits of a date, which are enough for 1e-15 seconds with 17 significant digits.
  private static let mostFractionDigits = 32

  /// The digits of the fraction of a second, counted from the previous whole second; empty for a whole second.
  ///
  /// The result is nil for a number so close to zero that it has hundreds of digits.
  private var fractionDigits: String? {
    // A description has the shortest digits that round-trip exactly. Below a ten-thousandth it has an exponent.
    let parts = "\(secondsSinceReferenceDate.magnitude)".split(separator: "e")
    let mantissa = parts[0].split(separator: ".")
    var digits = mantissa.count > 1 && mantissa[1] != "0" ? mantissa[1].utf8.map { $0 - 0x30 } : []
    if parts.count > 1, let exponent = Int(parts[1]) {
      guard -exponent + digits.count <= Self.mostFractionDigits else { return nil }
      digits =
        Array(repeating: 0, count: -exponent - 1) + mantissa[0].utf8.map { $0 - 0x30 } + digits
    }
    if digits.isEmpty { return "" }
    if secondsSinceReferenceDate < 0 { digits = Self.complement(of: digits) }
    digits += Array(repeating: 0, count: max(0, 3 - digits.count))
    return Self.text(of: digits)
  }

  /// The digits of the rest of a whole second; the last digit is not zero.
  private static func complement(of digits: [UInt8]) -> [UInt8] {
    digits.dropLast().map { 9 - $0 } + digits.suffix(1).map { 10 - $0 }
  }

  private static func text(of digits: [UInt8]) -> String {
    digits.map { "\($0)" }.joined()
  }
}
