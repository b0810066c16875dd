import Keepsake

/// Gives a key of all contacts another name.
func renameKeys(in bytes: [UInt8]) throws -> [UInt8] {
  var document = try ArchiveDocument(Archive(bytes))
  for id in try document.objectIDs(ofType: "Contact") {
    try document.update(id) { contact in
      try contact.renameKey("nm", to: "name")
    }
  }
  return try document.encoded()
}
