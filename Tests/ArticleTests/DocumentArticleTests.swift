import Keepsake
import Testing

@Suite struct `The page of KeepsakeDocuments` {
  @Test func `The example renames a key of each contact and of no other object`() throws {
    var document = ArchiveDocument()
    for type in ["Contact", "Place", "Contact"] {
      document.rootID = try document.insert(
        DynamicRecord(typeName: type, fields: [.init(key: "nm", value: .string(type))]))
    }
    let edited = try Archive(renameKeys(in: document.encoded()))
    var found: [String] = []
    try edited.forEachObject { object in
      found += object.contains("name") ? ["name"] : []
      found += object.contains("nm") ? ["nm"] : []
    }
    #expect(found.sorted() == ["name", "name", "nm"])
  }
}
