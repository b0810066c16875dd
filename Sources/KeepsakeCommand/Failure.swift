import ArgumentParser
import Foundation
import Keepsake

/// A failure that ends the tool: a full sentence on standard error, and a documented exit code.
struct Failure: Error {
  let message: String
  let status: ExitStatus

  /// Runs a command's work and turns every error into a sentence and an exit code.
  @MainActor
  static func reporting<T: Sendable>(_ work: @MainActor () async throws -> T) async throws -> T {
    do {
      return try await work()
    } catch let failure as Failure {
      throw exit(failure.message, failure.status)
    } catch let error as SealError {
      throw exit(error.description, status(for: error))
    } catch let error as ArchiveError {
      throw exit(error.description, .damaged)
    } catch let error as RestorationError {
      throw exit(error.message, status(for: error))
    }
  }

  private static func exit(_ message: String, _ status: ExitStatus) -> ExitCode {
    FileHandle.standardError.write(Data("keepsake: \(message.displayed)\n".utf8))
    return ExitCode(status.rawValue)
  }

  static func status(for error: SealError) -> ExitStatus {
    switch error.code {
    case .fileAbsent: .noInput
    case .noMatchingKey, .contextMismatch, .keyFileAbsent, .keyFileWrongLength,
      .keyFileOpenPermissions, .keyFileNotOwned, .notKeyFile, .keyFileDamaged:
      .keyUnavailable
    case .emptyFile, .notSealedFile, .truncated, .trailingBytes, .malformedHeader, .damagedHeader,
      .damagedChunk, .unsupportedVersion, .unsupportedSuite, .unsupportedFlags:
      .damaged
    default: .inputOutput
    }
  }

  static func status(for error: RestorationError) -> ExitStatus {
    switch error.code {
    case .keyUnavailable: .keyUnavailable
    case .damaged: .damaged
    default: .inputOutput
    }
  }

  static func status(for refusal: RestoreReport.Refusal) -> ExitStatus {
    switch refusal {
    case .version, .declined, .linkOpened, .notPrepared, .outOfTurn: .refusedVersion
    case .damaged, .interrupted: .damaged
    case .keyUnavailable: .keyUnavailable
    case .storeUnavailable: .inputOutput
    }
  }
}
