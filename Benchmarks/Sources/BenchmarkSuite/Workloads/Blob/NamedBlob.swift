import Foundation
import KeepsakeArchive
import KeepsakeCodable

/// Many plain bytes with a name.
struct NamedBlob: Codable, Equatable, Sendable {
  var name: String
  var contents: Data
}

extension NamedBlob {
  /// Makes this number of incompressible bytes, the same on every machine.
  init(byteCount: Int) {
    self.init(name: "blob", contents: Data(Self.noise(byteCount)))
  }

  static func noise(_ count: Int) -> [UInt8] {
    var random = PermutedCongruentialGenerator(state: 1, stream: 1)
    return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var word: UInt32 = 0
      for index in 0..<count {
        if index & 3 == 0 { word = random.nextUInt32() }
        unsafe buffer[index] = UInt8(truncatingIfNeeded: word >> UInt32(8 * (index & 3)))
      }
      initialized = count
    }
  }

  func archive() throws -> [UInt8] {
    try SingleObject.archive { coder in
      coder.encode(name, forKey: "name")
      coder.encode(contents, forKey: "contents")
    }
  }

  init(unarchiving bytes: [UInt8]) throws {
    let archive = try Archive(bytes)
    let object = try archive.object(archive.rootID)
    self.init(
      name: try object.decode(String.self, forKey: "name"),
      contents: try object.decode(Data.self, forKey: "contents"))
  }
}

extension NamedBlob: MessageConvertible {
  var message: PBBlob {
    var message = PBBlob()
    message.name = name
    message.contents = contents
    return message
  }

  init(_ message: PBBlob) {
    self.init(name: message.name, contents: message.contents)
  }
}
