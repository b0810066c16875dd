import Foundation
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

  private static let codes: [FileError.Code] = [
    .invalidPath, .fileAbsent, .directoryAbsent, .changedMeanwhile, .alreadyExists,
    .notRegularFile, .notDirectory, .fileLocked, .lockUnavailable, .directoryNotOwned,
    .directoryOpenPermissions, .permissionDenied, .readOnlyFileSystem, .noSpace,
    .durabilityUnknown, .limitExceeded, .insufficientMemory, .systemCallFailed,
  ]

  @Test func `Each code has its own name, and two sentences with the path and the next step`() {
    let texts = Self.codes.map { FileError($0, path: "/a b/c", detail: "it was found").description }
    for text in texts {
      #expect(text.contains("\"/a b/c\"") && text.contains(" (it was found). "), "\(text)")
      #expect(text.last == "." && text.first?.isUppercase == true, "\(text)")
    }
    #expect(Set(texts).count == Self.codes.count)
    let advice = Set(Self.codes.map { FileError($0, path: "/a").advice })
    #expect(advice.count == Self.codes.count)
    #expect(Set(Self.codes.map(\.rawValue)).count == Self.codes.count)
    #expect(FileError.Code.fileLocked.description == "fileLocked")
  }

  @Test func `An error number becomes the code that a caller can act on`() {
    let table: [(Int32, FileError.Code)] = [
      (ENOENT, .fileAbsent), (EEXIST, .alreadyExists), (ENOTDIR, .notDirectory),
      (EISDIR, .notRegularFile), (ELOOP, .notRegularFile), (ENXIO, .notRegularFile),
      (EACCES, .permissionDenied), (EPERM, .permissionDenied), (EROFS, .readOnlyFileSystem),
      (ENOSPC, .noSpace), (EDQUOT, .noSpace), (ENOMEM, .insufficientMemory),
      (EIO, .systemCallFailed), (EINVAL, .systemCallFailed),
    ]
    for (number, code) in table {
      let error = FileError(SystemFailure(call: "open", number: number), path: "/f")
      #expect(
        error == FileError(code, path: "/f", systemError: number, systemCall: "open"), "\(number)")
    }
  }

  @Test func `A failure without a known call still tells the error of the system`() {
    let text = FileError(.noSpace, path: "/f", systemError: ENOSPC).message
    #expect(text.hasSuffix(" [system call: \(FileError.systemMessage(ENOSPC))]"))
    #expect(FileError.findings("", systemError: nil, systemCall: "open") == "")
    #expect(FileError.quoted(nil) == "''")
  }

  @Test func `The kinds of failure decide whether another way is tried`() {
    let table: [(Int32, Set<String>)] = [
      (EEXIST, ["exists"]), (ENOENT, ["absent"]), (EISDIR, ["directory"]), (EACCES, ["refused"]),
      (EPERM, ["refused"]), (EROFS, ["read-only"]), (EWOULDBLOCK, ["locked"]),
      (ENOSYS, ["unsupported", "no locks"]), (EINVAL, ["unsupported", "no locks"]),
      (ENOTSUP, ["unsupported", "no locks"]), (ENOLCK, ["no locks"]), (EBADF, ["writing"]),
      (EIO, []),
    ]
    for (number, kinds) in table {
      let failure = SystemFailure(call: "call", number: number)
      let found: [(String, Bool)] = [
        ("exists", failure.alreadyExists), ("absent", failure.isAbsent),
        ("directory", failure.isDirectory), ("refused", failure.isRefused),
        ("read-only", failure.isReadOnly), ("locked", failure.isLocked),
        ("unsupported", failure.isUnsupported), ("no locks", failure.hasNoLocks),
        ("writing", failure.needsWriting),
      ]
      #expect(Set(found.filter(\.1).map(\.0)) == kinds, "\(number)")
    }
  }

  @Test func `Causes do not make errors different`() {
    struct Cause: Error {}
    let causes = [UnderlyingError(nil), UnderlyingError(Cause()), UnderlyingError(Cause())]
    #expect(Set(causes).count == 1 && causes[0] == causes[1])
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
