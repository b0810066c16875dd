import Testing

@testable import KeepsakeFiles
@testable import KeepsakeSeal

@Suite struct `The sentence of an error` {
  static let codes: [SealError.Code] = [
    .invalidKeyLength, .invalidKeys, .invalidOptions, .invalidRange, .invalidPath,
    .limitExceeded, .emptyFile, .notSealedFile, .truncated, .trailingBytes,
    .draftVersion, .unsupportedVersion, .unsupportedSuite, .unsupportedFlags, .malformedHeader,
    .damagedHeader, .damagedChunk, .noMatchingKey, .contextMismatch, .keyFileAbsent,
    .keyFileWrongLength, .keyFileOpenPermissions, .keyFileNotOwned, .notKeyFile,
    .keyFileDamaged, .fileAbsent, .directoryAbsent, .alreadyExists, .notRegularFile,
    .notDirectory, .permissionDenied, .readOnlyFileSystem, .noSpace, .durabilityUnknown,
    .lockUnavailable, .directoryNotOwned, .directoryOpenPermissions,
    .noSuchSlot, .missingRecipient, .staleFile, .signingKeyAbsent, .signatureAbsent,
    .damagedSignature, .invalidSignature, .untrustedSigner,
    .systemCallFailed, .insufficientMemory, .cryptographyUnavailable,
  ]

  /// Errors of the machine or the call, which have no file.
  static let pathless: Set<SealError.Code> = [.invalidKeyLength, .cryptographyUnavailable]

  @Test(arguments: codes)
  func `The sentence of each code names the path and the next step`(code: SealError.Code) {
    let text = SealError(code, path: "/a b/c", chunkIndex: 3).description
    #expect(text.contains("/a b/c") != Self.pathless.contains(code), "\(text)")
    let sentences = text.split(separator: ". ")
    #expect(sentences.count >= 2, "\(text)")
    #expect(text.last == "." || text.hasSuffix("'"), "\(text)")
    #expect(text.first?.isUppercase == true || text.hasPrefix("libsodium"), "\(text)")
  }

  @Test func `No two codes have the same sentence or the same name`() {
    #expect(Set(Self.codes.map { SealError($0, path: "p").description }).count == Self.codes.count)
    #expect(Set(Self.codes).count == Self.codes.count)
  }

  @Test func `The error of a damaged chunk or a failed call names it`() {
    let chunk = SealError(.damagedChunk, path: "/f", chunkIndex: 12)
    #expect(chunk.description.contains("chunk 12"))
    let call = SealError(.noSpace, path: "/f", systemError: 28, systemCall: "pwrite")
    #expect(call.description.contains("pwrite"))
    #expect(
      call.message
        == "There is no space left to write \"/f\" [pwrite: \(FileError.systemMessage(28))]")
    #expect(call.description.hasPrefix(call.message + ". "))
  }

  @Test func `Errors are equal when their code, place and details are equal`() {
    func say(
      _ code: SealError.Code = .damagedChunk, path: String = "/f", chunk: Int = 1, slot: Int = 2,
      system: Int32 = 3, call: String = "c", detail: String = "d"
    ) -> SealError {
      SealError(
        code, path: path, chunkIndex: chunk, slotIndex: slot, systemError: system, systemCall: call,
        detail: detail)
    }
    let error = say()
    let others = [
      say(.noSpace), say(path: "/g"), say(chunk: 9), say(slot: 9), say(system: 9), say(call: "e"),
      say(detail: "e"),
    ]
    #expect(error == error && Set([error, error]).count == 1)
    #expect(others.allSatisfy { $0 != error })
    #expect(Set(others + [error]).count == 8)
  }

  @Test
  func `An error names the wrong length of a key file, and a directory that cannot be made`() {
    let length = SecretFile.wrongLength(249, expected: 248).at("/k").description
    #expect(length.contains("wrong length (it has 249 bytes instead of 248)"), "\(length)")
    let failure = error { try DurableFile.createDirectory(at: "/proc/keepsake") }
    #expect(failure?.code == .systemCallFailed && failure?.path == "/proc/keepsake")
    #expect(failure?.description.contains("There is no file") == false)
    #expect(failure?.description.contains("the directory cannot be created there") == true)
  }

  @Test func `System errors become the codes that a caller can act on`() {
    let table: [(Int32, SealError.Code)] = [
      (2, .fileAbsent), (13, .permissionDenied), (1, .permissionDenied), (17, .alreadyExists),
      (20, .notDirectory), (21, .notRegularFile), (28, .noSpace), (30, .readOnlyFileSystem),
      (5, .systemCallFailed), (12, .insufficientMemory),
    ]
    for (number, code) in table {
      let error = SealError(SystemFailure(call: "open", number: number), path: "/f")
      #expect(error.code == code)
      #expect(error.systemError == number)
      #expect(error.systemCall == "open")
    }
  }
}
