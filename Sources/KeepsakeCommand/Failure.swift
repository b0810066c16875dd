import ArgumentParser
import Foundation
import Keepsake

/// A failure that ends the tool: a full sentence on standard error, and a documented exit code.
struct Failure: Error {
  let message: String
  let exitCode: ExitCode

  static let difference = ExitCode(1)
  static let refusedVersion = ExitCode(3)
  static let damaged = ExitCode(65)
  static let noInput = ExitCode(66)
  static let inputOutput = ExitCode(74)
  static let keyUnavailable = ExitCode(77)

  /// Runs a command's work and turns every error into a sentence and an exit code.
  static func reporting<T>(_ work: () async throws -> T) async throws -> T {
    do {
      return try await work()
    } catch let failure as Failure {
      standardError(failure.message)
      throw failure.exitCode
    } catch let error as SealError {
      standardError(error.description)
      throw exitCode(for: error)
    } catch let error as ArchiveError {
      standardError(error.description)
      throw damaged
    } catch let error as RestorationError {
      standardError(error.message)
      throw exitCode(for: error)
    }
  }

  static func exitCode(for error: SealError) -> ExitCode {
    switch error.code {
    case .fileAbsent: noInput
    case .noMatchingKey, .contextMismatch, .keyFileAbsent, .keyFileWrongLength,
      .keyFileOpenPermissions, .keyFileNotOwned, .notKeyFile, .keyFileDamaged:
      keyUnavailable
    case .emptyFile, .notSealedFile, .truncated, .trailingBytes, .malformedHeader, .damagedHeader,
      .damagedChunk, .unsupportedVersion, .unsupportedSuite, .unsupportedFlags:
      damaged
    default: inputOutput
    }
  }

  static func exitCode(for error: RestorationError) -> ExitCode {
    switch error.code {
    case .keyUnavailable: keyUnavailable
    case .damaged: damaged
    default: inputOutput
    }
  }

  static func exitCode(for refusal: RestoreReport.Refusal) -> ExitCode {
    switch refusal {
    case .version, .declined, .notPrepared: refusedVersion
    case .damaged, .interrupted: damaged
    case .keyUnavailable: keyUnavailable
    case .storeUnavailable: inputOutput
    }
  }

  private static func standardError(_ message: String) {
    FileHandle.standardError.write(Data("keepsake: \(message)\n".utf8))
  }
}
