import Testing

@testable import Keepsake

@Suite struct `The state directory` {
  @Test func `A state directory is in the user's home under the app's identifier`() throws {
    let directory = try StateDirectory.user("com.example.contacts")
    #expect(directory.path.hasPrefix("/") && directory.path.hasSuffix("/com.example.contacts"))
    #expect(directory.archivePath == directory.path + "/state.keepsake")
    #expect(directory.keyPath == directory.path + "/key")
  }

  @Test(arguments: ["", ".", "..", ".hidden", "a/b", "/", "nul\0"])
  func `A state directory refuses an identifier that is not a plain file name`(identifier: String) {
    let error = #expect(throws: KeepsakeError.self) { try StateDirectory.user(identifier) }
    #expect(error?.code == .storeUnavailable)
  }

  #if os(Linux)
    @Test func `A state directory is in an absolute XDG_STATE_HOME, or else in an absolute HOME`()
      throws
    {
      let user = ["HOME": "/home/ada"]
      #expect(try StateDirectory.userStateHome(user) == "/home/ada/.local/state")
      let both = user.merging(["XDG_STATE_HOME": "/state"]) { $1 }
      #expect(try StateDirectory.userStateHome(both) == "/state")
      let relative = user.merging(["XDG_STATE_HOME": "state"]) { $1 }
      #expect(try StateDirectory.userStateHome(relative) == "/home/ada/.local/state")
    }

    @Test(arguments: [[:], ["HOME": ""], ["HOME": "home/ada"]])
    func `A state directory without an absolute home is an error`(environment: [String: String]) {
      let error = #expect(throws: KeepsakeError.self) {
        try StateDirectory.userStateHome(environment)
      }
      #expect(error?.code == .storeUnavailable)
    }
  #endif
}
