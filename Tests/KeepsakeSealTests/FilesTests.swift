import TestSupport
import Testing

@testable import KeepsakeFiles
@testable import KeepsakeSeal

@Suite struct `The digest of KeepsakeFiles` {
  // The lengths are around the ends of blocks of 128 bytes.
  @Test func `The digest of names is the beginning of what libsodium computes`() throws {
    for count in Array(0...300) + [511, 512, 513, 4_096] {
      let message = pattern(count, seed: UInt64(count))
      #expect(NameDigest.digest(of: message) == Array(try Blake2b.hash(message).prefix(8)))
    }
  }
}

@Suite struct `The errors of KeepsakeFiles and KeepsakeSeal` {
  @Test(
    arguments: [
      FileError.Code.invalidPath, .fileAbsent, .directoryAbsent, .changedMeanwhile, .alreadyExists,
      .notRegularFile, .notDirectory, .fileLocked, .lockUnavailable, .directoryNotOwned,
      .directoryOpenPermissions, .permissionDenied, .readOnlyFileSystem, .noSpace,
      .durabilityUnknown, .limitExceeded, .insufficientMemory, .systemCallFailed,
    ])
  func `An error of a file says the same in both modules`(code: FileError.Code) {
    let error = FileError(
      code, path: "/a'b", systemError: 5, systemCall: "fsync", detail: "it was found")
    let wrapped = SealError(error)
    #expect(wrapped.description == error.description)
    #expect(wrapped.code.rawValue == code.rawValue)
    #expect(wrapped.path == error.path && wrapped.detail == error.detail)
    #expect(wrapped.systemError == 5 && wrapped.systemCall == "fsync")
  }
}
