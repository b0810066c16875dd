import ArgumentParser
import CommandSupport
import Foundation
import Keepsake
import TerminalScreen

/// The options for a passphrase.
///
/// It is never an argument, since other users of the machine can read arguments.
struct PassphraseOptions: ParsableArguments {
  @Flag(name: [.short, .long], help: "Ask for a passphrase at the terminal.")
  var passphrase = false

  @Option(
    help: ArgumentHelp(
      "Read the passphrase from a file; a line end after it does not count.", valueName: "file"),
    completion: .file())
  var passphraseFile: String?

  @Option(
    name: .customLong("passphrase-fd"),
    help: ArgumentHelp("Read the passphrase from an open file descriptor.", valueName: "number"))
  var passphraseDescriptor: Int32?

  func validate() throws {
    try checking(as: "keepsake") { () throws(Failure) in
      try PassphraseSource.requireOpen(passphraseDescriptor, "passphrase")
    }
  }

  /// The source; nil when the user has named none.
  var source: PassphraseSource? {
    get throws(Failure) {
      try PassphraseSource.chosen(
        prompts: passphrase, file: passphraseFile, descriptor: passphraseDescriptor, "passphrase")
    }
  }
}

enum PassphraseSource {
  /// The terminal; without a terminal, a failure names the options that begin with `option` and end with `-file` and
  /// `-fd`.
  case terminal(option: String = "passphrase")
  case file(String)
  case descriptor(Int32)

  static func chosen(
    prompts: Bool, file: String?, descriptor: Int32?, _ option: String
  ) throws(Failure) -> PassphraseSource? {
    let sources =
      (prompts ? [PassphraseSource.terminal(option: option)] : [])
      + (file.map { [.file($0)] } ?? []) + (descriptor.map { [.descriptor($0)] } ?? [])
    guard sources.count <= 1 else {
      throw Failure(
        "A passphrase comes from one place: give one of --\(option), --\(option)-file and --\(option)-fd.",
        .usage)
    }
    return sources.first
  }

  /// Refuses a descriptor that is not open, before the tool opens one of that number.
  static func requireOpen(_ descriptor: Int32?, _ option: String) throws(Failure) {
    guard let descriptor, !ProcessStart.canRead(descriptor) else { return }
    throw Failure(
      "File descriptor \(descriptor), which --\(option)-fd names, is not open for reading; open it in the shell, "
        + "for example with \(descriptor)< FILE.", .keyUnavailable)
  }

  func read(prompt: String, isNew: Bool = false) throws -> SealPassphrase {
    // The list is never empty.
    guard let first = try readAll(prompt: prompt, isNew: isNew).first else {
      throw Failure("No passphrase was given; nothing was done.", .keyUnavailable)
    }
    return first
  }

  /// Reads the passphrase as it may be meant: without a byte order mark, and with it if there is one.
  func readAll(prompt: String, isNew: Bool = false) throws -> [SealPassphrase] {
    var bytes: [UInt8]
    switch self {
    case .terminal(let option): bytes = try Self.ask(prompt, isNew: isNew, option)
    case .file(let path): bytes = try Self.read(path: path)
    case .descriptor(let number):
      bytes = try Self.read(number, name: "file descriptor \(number)")
    }
    defer { for index in bytes.indices { bytes[index] = 0 } }
    var count = bytes.count
    if case .terminal = self {
    } else {
      if count > 0, bytes[count - 1] == 0x0A { count -= 1 }
      if count > 0, count < bytes.count, bytes[count - 1] == 0x0D { count -= 1 }
    }
    let mark = KeyContent.byteOrderMark
    let starts = bytes.starts(with: mark) && count > mark.count ? [mark.count, 0] : [0]
    do {
      return try starts.map { start in
        try SealPassphrase(text: bytes.span.extracting(start..<count))
      }
    } catch let error as SealError {
      throw Failure(error.description, .keyUnavailable)
    }
  }

  private static func ask(_ prompt: String, isNew: Bool, _ option: String) throws -> [UInt8] {
    let line = try typed(prompt, option)
    guard isNew else { return line }
    let again = try typed("The same again", option)
    guard line == again else {
      throw Failure(
        "The two passphrases are not the same; nothing was done. Run the command again.", .usage)
    }
    return line
  }

  private static func typed(_ prompt: String, _ option: String) throws -> [UInt8] {
    do throws(HiddenLine.Failure) {
      return try HiddenLine.read(prompt: "\(prompt.displayed): ")
    } catch {
      switch error {
      case .interrupted: ProcessEnd.raise(SIGINT)
      case .ended: throw Failure("No passphrase was typed; nothing was done.", .keyUnavailable)
      case .noTerminal:
        throw Failure(
          "There is no terminal to ask for a passphrase; give it by --\(option)-file or --\(option)-fd.",
          .keyUnavailable)
      }
    }
  }

  private static func read(path: String) throws(Failure) -> [UInt8] {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw Failure(
        "The passphrase file \"\(path)\" cannot be read: check that it is there and may be read.",
        .keyUnavailable)
    }
    defer { withExtendedLifetime(handle) {} }
    if Message.isShown, FileManager.default.isOpenToOthers(path) {
      Message.show(
        "Other users can read the passphrase file \"\(path)\"; close it with \"chmod 600\".")
    }
    return try read(handle.fileDescriptor, name: "\"\(path)\"")
  }

  private static func read(_ descriptor: Int32, name: String) throws(Failure) -> [UInt8] {
    // One byte more than a passphrase with its line end may have, so that a longer one is noticed.
    let limit = SealPassphrase.byteCountRange.upperBound + 3
    guard let bytes = HiddenLine.read(from: descriptor, upTo: limit) else {
      throw Failure(
        "The passphrase cannot be read from \(name): check what it is.", .keyUnavailable)
    }
    return bytes
  }
}

/// A sentence for a person at the terminal, in addition to the result of a command.
enum Message {
  /// True when standard error is a terminal; scripts are told nothing but failures.
  static var isShown: Bool { isatty(STDERR_FILENO) == 1 }

  static func show(_ sentence: String) {
    guard isShown else { return }
    // A failure is ignored: a terminal that is gone needs no message.
    try? FileHandle.standardError.write(
      contentsOf: Data("keepsake: \(sentence.displayed.cutAsMessage)\n".utf8))
  }
}

extension FileManager {
  /// True when a regular file gives other users any permission.
  fileprivate func isOpenToOthers(_ path: String) -> Bool {
    guard let attributes = try? attributesOfItem(atPath: path),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let mode = attributes[.posixPermissions] as? NSNumber
    else { return false }
    return mode.intValue & 0o077 != 0
  }
}
