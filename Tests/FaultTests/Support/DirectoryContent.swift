import Foundation
import KeepsakeSeal

/// The content of a directory, read to the last byte, without temporary files.
struct DirectoryContent: Equatable {
  enum Entry: Equatable {
    case directory
    case link(to: String)
    case key
    case bytes([UInt8])
    case sealed(generation: UInt64, [UInt8], slots: Int = 1)
  }

  var entries: [String: Entry] = [:]
  var strays: [String] = []

  init(_ entries: [String: Entry]) { self.entries = entries }

  /// Reads a directory; a sealed file that does not open is an error.
  init(of directory: String, key: SealKey) throws {
    let names = FileManager.default.enumerator(atPath: directory)
    while let name = names?.nextObject() as? String {
      let path = directory + "/" + name
      if name.hasSuffix(".sealtmp") || name.hasSuffix(".sealswap") {
        strays.append(name)
        continue
      }
      switch try DurableFile.kind(of: path) {
      case .directory: if name != "lost+found" { entries[name] = .directory }
      case .symbolicLink:
        entries[name] = .link(
          to: try FileManager.default.destinationOfSymbolicLink(atPath: path))
      default: entries[name] = try DirectoryContent.entry(path, key: key)
      }
    }
  }

  private static func entry(_ path: String, key: SealKey) throws -> Entry {
    let bytes = try DurableFile.read(at: path, upTo: 1 << 26)
    switch bytes.prefix(4) {
    case [0x89, 0x4B, 0x53, 0x46]:
      let file = try SealedFile.open(path, with: [.key(key)])
      return .sealed(
        generation: file.generation, try file.read(), slots: file.summary.slotTypes.count)
    case [0x89, 0x4B, 0x53, 0x4B]:
      _ = try SealKey.read(at: path)
      return .key
    case [0x23, 0x20, 0x72, 0x65]:
      // "# re", the comment before an identity.
      _ = try X25519Identity.read(at: path)
      return .key
    default:
      return .bytes(bytes)
    }
  }
}

/// The plaintext that the subject writes for a generation.
func plaintext(_ generation: UInt64, _ size: Int) -> [UInt8] {
  [UInt8](repeating: UInt8(truncatingIfNeeded: generation), count: size)
}
