package import ArgumentParser
import Keepsake

/// The first steps of every program of this package.
package enum ProgramStart {
  /// Opens standard streams that are closed, and ends the program if an argument is not UTF-8.
  package static func begin(as program: String) {
    ProcessStart.openStandardStreams()
    if let argument = ProcessStart.malformedArgument {
      Failure(
        "The argument \"\(argument.shortened)\" is not UTF-8, so it would name another file, and nothing was done. "
          + "Rename the file, or let the shell open it: - < FILE reads it, and -o - > FILE writes it.",
        .usage
      ).end(as: program)
    }
  }
}

extension ParsableArguments {
  /// Runs a check of arguments while they are parsed, before the program has opened anything.
  ///
  /// A failure of the check is reported without the usage of the command.
  package func checking(as program: String, _ check: () throws(Failure) -> Void) throws(ExitCode) {
    do throws(Failure) {
      try check()
    } catch {
      throw error.written(as: program)
    }
  }
}
