import KeepsakeArchive
import Testing

@Suite struct `Archive errors` {
  private func error(
    _ code: ArchiveError.Code = .damaged, _ message: String = "It is damaged.", offset: Int? = 7,
    object: ArchiveObjectID? = first, path: [String] = ["a", "b"]
  ) -> ArchiveError {
    var error = ArchiveError(code, message, offset: offset)
    error.objectID = object
    error.keyPath = path
    return error
  }

  @Test func `An error equals one with the same code, message and place`() {
    #expect(error() == error())
    #expect(error().hashValue == error().hashValue)
    let others = [
      error(.truncated), error(.damaged, "It is broken."), error(offset: 8), error(offset: nil),
      error(object: ArchiveObjectID(2)), error(object: nil), error(path: []), error(path: ["a"]),
      error(path: ["b"]), error(path: ["a", "b", "c"]),
    ]
    for other in others {
      #expect(error() != other)
      #expect(other != error())
    }
  }
}
