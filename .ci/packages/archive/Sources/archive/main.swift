import KeepsakeArchive

func note() throws -> [UInt8] {
  var writer = ArchiveWriter()
  try writer.writeObject(ArchiveObjectID(1), typeName: "Note") { coder in
    coder.encode("Archived without libsodium.", forKey: "text")
  }
  return try writer.finish(root: ArchiveObjectID(1))
}

let archive = try Archive(note())
print(try archive.object(archive.rootID).decode(String.self, forKey: "text"))
