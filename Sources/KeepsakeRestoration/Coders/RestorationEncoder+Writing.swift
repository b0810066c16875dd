import KeepsakeArchive

// How a save writes objects through one coder, which holds the writer from the first to the last.

extension RestorationEncoder {
  /// Writes one object; when `body` throws, or wrote what cannot be stored, nothing of it is written.
  mutating func writeObject(
    _ id: ArchiveObjectID, typeName: String, template: String? = nil,
    _ body: (inout RestorationEncoder) throws -> Void
  ) throws {
    let object = try writer.beginObject(id, typeName: typeName, template: template)
    do {
      try body(&self)
    } catch {
      writer.dropObject(object)
      throw error
    }
    try writer.endObject(object)
  }

  consuming func takeWriter() -> ArchiveWriter { writer }
}
