import Keepsake

/// Seals the archive of one object in the file named on the command line, opens it and reads it.
@main
struct All {
  static func main() throws {
    let path = CommandLine.arguments[1]
    let key = try SealKey.generate()
    let bytes = try note()
    _ = try SealedFile.seal(bytes.span, to: path, for: [.key(key)])
    let opened = try SealedFile.open(path, with: [.key(key)])
    let archive = try Archive(opened.read())
    print(try archive.object(archive.rootID).decode(String.self, forKey: "text"))
  }

  static func note() throws -> [UInt8] {
    var writer = ArchiveWriter()
    try writer.writeObject(ArchiveObjectID(1), typeName: "Note") { coder in
      coder.encode("Sealed and opened from outside.", forKey: "text")
    }
    return try writer.finish(root: ArchiveObjectID(1))
  }
}
