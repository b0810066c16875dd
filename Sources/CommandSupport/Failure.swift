package import ArgumentParser
import Foundation
package import Keepsake

/// The exit codes of the programs of this package, as the help of `keepsake` documents them.
package enum ExitStatus: Int32 {
  /// A difference was found: between two archives, or by the demo.
  case difference = 1
  /// The saved state was written by another version and refused.
  case refusedVersion = 3
  /// The command line is wrong.
  case usage = 64
  /// A file is damaged, or not what it should be.
  case damaged = 65
  /// The file, session or value does not exist.
  case noInput = 66
  /// A file or directory cannot be read or written.
  case inputOutput = 74
  /// The key is missing, unusable or wrong.
  case keyUnavailable = 77
}

/// A failure that ends a program: a full sentence on standard error, and a documented exit code.
package struct Failure: Error {
  package let message: String
  package let status: ExitStatus

  package init(_ message: String, _ status: ExitStatus) {
    self.message = message
    self.status = status
  }

  /// Runs a command's work, and converts every error of Keepsake to an exit code, after a sentence that begins with the
  /// name of the program.
  ///
  /// Other errors of the work are thrown unchanged.
  @MainActor
  package static func reporting<T: Sendable>(
    as program: String, _ work: @MainActor () async throws -> T
  ) async throws -> T {
    do {
      return try await work()
    } catch {
      guard let failure = Failure(explaining: error) else { throw error }
      throw failure.written(as: program)
    }
  }

  /// Writes the sentence on standard error, after the name of the program, and ends the process with the exit code.
  package func end(as program: String) -> Never {
    write(as: program)
    exit(status.rawValue)
  }

  /// Writes the sentence on standard error, after the name of the program, and returns the exit code.
  package func written(as program: String) -> ExitCode {
    write(as: program)
    return ExitCode(status.rawValue)
  }

  private func write(as program: String) {
    // A name in a message, such as a path, may contain any characters and have any length.
    let line = "\(program): \(message.displayed.cutAsMessage)\n"
    try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
  }

  /// The failure for an error; nil for an error that is not Keepsake's.
  package init?(explaining error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as KeepsakeError: self.init(error.message, Self.status(for: error))
    case let error as RestorationError: self.init(error.message, Self.status(for: error))
    case let error as SealError:
      // The error of the source of a sealed file names the cause better.
      if let cause = error.underlyingError, let failure = Failure(explaining: cause) {
        self = failure
      } else {
        self.init(error.description + error.hintOfPipe, Self.status(for: error))
      }
    case let error as FileError: self.init(error.description, Self.status(for: SealError(error)))
    case let error as ArchiveError:
      // The error of the file below an archive names the cause better.
      if let cause = error.underlyingError, let failure = Failure(explaining: cause) {
        self = failure
      } else {
        self.init(error.description, .damaged)
      }
    case let error as JournalError: self.init(error.description, Self.status(for: error))
    case let error as ImportError: self.init(error.description, .damaged)
    case let error as MigrationError:
      self.init(error.description, error.code == .malformedVersion ? .usage : .refusedVersion)
    default: return nil
    }
  }
}

extension Failure {
  private static func status(for error: SealError) -> ExitStatus {
    switch error.code {
    case .fileAbsent: .noInput
    case .noMatchingKey, .contextMismatch, .keyFileAbsent, .keyFileWrongLength,
      .keyFileOpenPermissions, .keyFileNotOwned, .notKeyFile, .keyFileDamaged, .invalidPassphrase,
      .invalidRecipient, .invalidIdentity, .invalidSigner, .invalidSigningKey, .signingKeyAbsent,
      .missingRecipient, .noSuchSlot:
      .keyUnavailable
    case .invalidPath, .invalidKeys, .invalidOptions: .usage
    case .staleFile, .signatureAbsent, .untrustedSigner, .limitExceeded, .emptyFile, .notSealedFile,
      .truncated, .trailingBytes, .malformedHeader, .damagedHeader,
      .damagedChunk, .damagedSignature, .invalidSignature, .draftVersion, .unsupportedVersion,
      .unsupportedSuite, .unsupportedFlags:
      .damaged
    default: .inputOutput
    }
  }

  private static func status(for error: JournalError) -> ExitStatus {
    switch error.code {
    case .journalAbsent, .entryAbsent: .noInput
    case .noMatchingKey, .contextMismatch: .keyUnavailable
    case .entryNotStorable, .invalidPin, .invalidOptions: .usage
    case .entryTooLarge, .notJournal, .unsupportedVersion, .unsupportedSuite, .unsupportedFlags,
      .malformedHeader, .damagedHeader, .malformedEntry, .entryUnreadable, .wrongFile, .missingFile,
      .brokenChain,
      .damaged, .malformedRetention, .stalePin:
      .damaged
    default: error.sealError.map { status(for: $0) } ?? .inputOutput
    }
  }

  private static func status(for error: KeepsakeError) -> ExitStatus {
    switch error.code {
    case .keyAbsent, .keyLocked, .keyWrong, .keyDamaged, .keyUnavailable: .keyUnavailable
    case .damaged, .wrongPurpose, .staleState, .valueUnreadable: .damaged
    case .migrationRefused: .refusedVersion
    case .stateAbsent, .valueAbsent: .noInput
    case .slotWouldBeLost: .keyUnavailable
    case .invalidIdentifier: .usage
    default: .inputOutput
    }
  }

  private static func status(for error: RestorationError) -> ExitStatus {
    switch error.code {
    case .keyUnavailable: .keyUnavailable
    case .damaged: .damaged
    default: .inputOutput
    }
  }

  /// The exit code of a launch that started fresh because its saved state was refused.
  package static func status(for refusal: RestoreReport.Refusal) -> ExitStatus {
    switch refusal {
    case .version, .declined, .linkOpened, .notPrepared, .outOfTurn: .refusedVersion
    case .damaged, .interrupted: .damaged
    case .keyUnavailable: .keyUnavailable
    case .storeUnavailable: .inputOutput
    }
  }
}

extension SealError {
  /// A file of the kernel has no size of its own, so it looks empty or too short.
  fileprivate var hintOfPipe: String {
    guard code == .emptyFile || code == .truncated, let path,
      path.hasPrefix("/proc/") || path.hasPrefix("/sys/")
    else { return "" }
    return " A file in /proc or /sys has no size of its own; pipe it in, with - < FILE."
  }
}

extension String {
  /// A message as it is printed; only one with a long quotation is cut.
  package var cutAsMessage: String { cut(to: 4_096) }
}
