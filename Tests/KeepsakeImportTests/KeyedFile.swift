import Foundation
import TestSupport

/// A value of a property list, of which a test makes a file of `NSKeyedArchiver` by hand.
enum ListValue: Sendable {
  case int(Int)
  case real(Double)
  case bool(Bool)
  case string(String)
  case data([UInt8])
  case uid(Int)
  case array([ListValue])
  case dictionary([(String, ListValue)])

  /// An object with a class and keys.
  static func object(_ classIndex: Int, _ keys: (String, ListValue)...) -> ListValue {
    .dictionary([("$class", .uid(classIndex))] + keys)
  }

  /// The description of a class.
  static func classNamed(_ names: String...) -> ListValue {
    .dictionary([
      ("$classname", .string(names[0])),
      ("$classes", .array((names + ["NSObject"]).map { .string($0) })),
    ])
  }
}

/// A file of `NSKeyedArchiver`, made by hand in the two forms.
struct KeyedFile {
  /// The objects from index 1 on.
  var objects: [ListValue]
  var top: [(String, ListValue)] = [("root", .uid(1))]
  var archiver: ListValue = .string("NSKeyedArchiver")
  var version: ListValue = .int(100_000)

  init(_ objects: ListValue...) { self.objects = objects }

  init(objects: [ListValue]) { self.objects = objects }

  private var list: ListValue {
    .dictionary([
      ("$version", version), ("$archiver", archiver), ("$top", .dictionary(top)),
      ("$objects", .array([.string("$null")] + objects)),
    ])
  }

  var binary: [UInt8] {
    var writer = BinaryWriter()
    let top = writer.add(list)
    return BinaryFile.of(writer.objects, top: top, referenceByteCount: 4)
  }

  var xml: [UInt8] { Array("<plist version=\"1.0\">\(list.xml)</plist>".utf8) }
}

private struct BinaryWriter {
  var objects: [[UInt8]] = []
  private var names: [String: Int] = [:]

  mutating func add(_ value: ListValue) -> Int {
    var bytes: [UInt8]
    switch value {
    case .int(let number): bytes = [0x13] + BinaryFile.big(number, 8)
    case .real(let number):
      bytes = [0x23] + BinaryFile.big(Int(bitPattern: UInt(number.bitPattern)), 8)
    case .bool(let value): bytes = [value ? 0x09 : 0x08]
    case .string(let text):
      let units = Array(text.utf16)
      bytes = head(0x60, units.count) + units.flatMap { BinaryFile.big(Int($0), 2) }
    case .data(let data): bytes = head(0x40, data.count) + data
    case .uid(let index): bytes = [0x83] + BinaryFile.big(index, 4)
    case .array(let values):
      bytes = head(0xA0, values.count) + values.flatMap { BinaryFile.big(add($0), 4) }
    case .dictionary(let members):
      let keys = members.flatMap { BinaryFile.big(name($0.0), 4) }
      bytes =
        head(0xD0, members.count) + keys + members.flatMap { BinaryFile.big(add($0.1), 4) }
    }
    objects.append(bytes)
    return objects.count - 1
  }

  private mutating func name(_ text: String) -> Int {
    if let number = names[text] { return number }
    let number = add(.string(text))
    names[text] = number
    return number
  }

  private func head(_ marker: UInt8, _ count: Int) -> [UInt8] {
    count < 15
      ? [marker | UInt8(count)] : [marker | 0x0F, 0x12] + BinaryFile.big(count, 4)
  }
}

extension ListValue {
  fileprivate var xml: String {
    switch self {
    case .int(let number): "<integer>\(number)</integer>"
    case .real(let number): "<real>\(number)</real>"
    case .bool(let value): value ? "<true/>" : "<false/>"
    case .string(let text):
      "<string>\(text.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))</string>"
    case .data(let data): "<data>\(Data(data).base64EncodedString())</data>"
    case .uid(let index): "<dict><key>CF$UID</key><integer>\(index)</integer></dict>"
    case .array(let values): "<array>\(values.map(\.xml).joined())</array>"
    case .dictionary(let members):
      "<dict>\(members.map { "<key>\($0.0)</key>\($0.1.xml)" }.joined())</dict>"
    }
  }
}
