import TestSupport
import Testing

@testable import KeepsakeFiles

@Suite struct `The error of a file` {
  @Test func `An error names the file, the call that failed and what to do next`() {
    let error = FileError(SystemFailure(call: "openat", number: 13), path: "/a/b")
    #expect(error.code == .permissionDenied && error.path == "/a/b")
    #expect(
      error.description
        == "This user may not access \"/a/b\" [openat: Permission denied]. "
        + "Change the permissions of the file or of its directory.")
  }

  @Test func `An unknown code and an absent path still make a sentence`() {
    let error = FileError(FileError.Code(rawValue: "later"), detail: "it is new")
    #expect(
      error.description
        == "The system refused to work with the given place (it is new). "
        + "Look up the error of the system and try again.")
  }

  @Test func `A path in a command of the advice is quoted for a shell`() {
    let error = FileError(.directoryOpenPermissions, path: "/a'b")
    #expect(error.description.contains("chmod go-w '/a'\\''b',"))
  }
}

@Suite struct `The digest in names of exchanges` {
  /// The digits of the first 8 bytes.
  private func digits(_ message: [UInt8]) -> String {
    NameDigest.digest(of: message).map {
      String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
    }.joined()
  }

  // The messages are RFC 7693's example, an empty one, and two with all words of one block and of two blocks.
  @Test func `The digest begins as BLAKE2b with 32 bytes does`() {
    #expect(digits(Array("abc".utf8)) == "bddd813c63423972")
    #expect(digits([]) == "0e5751c026e543b2")
    #expect(digits(Array(1...128)) == "d11c7002d0495dc4")
    #expect(digits(Array(1...200)) == "84c15cf6a4458226")
  }
}
