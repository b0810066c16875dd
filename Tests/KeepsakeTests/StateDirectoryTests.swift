import Keepsake
import Testing

@Suite struct `The state directory` {
  @Test func `lies in the user's home under the app's identifier`() throws {
    let directory = try StateDirectory.user("com.example.contacts")
    #expect(directory.path.hasPrefix("/") && directory.path.hasSuffix("/com.example.contacts"))
    #expect(directory.archivePath == directory.path + "/state.keepsake")
    #expect(directory.keyPath == directory.path + "/key")
  }

  @Test(arguments: ["", ".", "..", ".hidden", "a/b", "/", "nul\0"])
  func `has no name that leads elsewhere`(identifier: String) {
    let error = #expect(throws: KeepsakeError.self) { try StateDirectory.user(identifier) }
    #expect(error?.code == .storeUnavailable)
  }
}
