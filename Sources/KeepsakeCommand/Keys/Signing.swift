import ArgumentParser
import CommandSupport
import Foundation
import Keepsake

/// The option that names the key for signing a file.
struct SigningOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Sign the file with a signing key, so that readers can tell who wrote it.", valueName: "file"),
    completion: .file())
  var sign: String?

  /// The signing key, if one was named.
  var key: SealSigningKey? {
    get throws(Failure) {
      guard let sign else { return nil }
      return try Self.key(at: sign)
    }
  }

  static func key(at path: String) throws(Failure) -> SealSigningKey {
    let content = try KeySource.path(path).content()
    guard content.kind == .signingKey else {
      throw Failure(.path(path), is: content.kind, not: "a signing key")
    }
    do throws(SealError) {
      return try content.signingKey()
    } catch {
      throw Failure(unusableKey: error)
    }
  }
}

/// The signature of a file that is sealed again.
struct ResigningOptions: ParsableArguments {
  @OptionGroup var signing: SigningOptions

  @Flag(help: "Allow a signed file to lose its signature.")
  var dropSignature = false

  @Flag(help: "Let --sign sign a file that is not signed: anyone with a key may have written it.")
  var signUnsigned = false

  /// The signing key, if one was named.
  var key: SealSigningKey? {
    get throws(Failure) { try signing.key }
  }
}

/// The options for the signature that a reader requires.
struct SignerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Require the signature of a signer: a text that begins with keepsake-signer1, or a file with one in each line. "
        + "May be repeated, for one of several.", valueName: "signer"),
    completion: .file())
  var signer: [String] = []

  @Flag(help: "Require any signature, and print its signer.")
  var anySigner = false

  func policy() throws -> SealPolicy {
    let signers = try signer.flatMap(Self.signers)
    if !signers.isEmpty { return SealPolicy(signature: .trusted(signers)) }
    return SealPolicy(signature: anySigner ? .anySigner : .notRequired)
  }

  /// Reads a signer from a text, the signers in a file, or the signer of a signing key.
  private static func signers(_ text: String) throws -> [SealSigner] {
    do {
      return [try SealSigner(text)]
    } catch {
      guard !text.lowercased().hasPrefix("keepsake"), try DurableFile.kind(of: text) != .absent
      else {
        throw Failure("\(error.description) There is no file of that name either.", .usage)
      }
    }
    let bytes = try NamedInput(text).bytes(upTo: 1 << 20)
    if try KeyContent(copying: bytes.span, of: nil, path: text).kind == .signingKey {
      return [try SigningOptions.key(at: text).signer]
    }
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
    guard !lines.isEmpty else {
      throw Failure(
        "The file at \"\(text)\" has no signer in it; \"keepsake keygen signer FILE\" prints one.",
        .usage)
    }
    do throws(SealError) {
      return try lines.map { line throws(SealError) in try SealSigner(line) }
    } catch {
      throw Failure("\(error.description) It was read from \"\(text)\".", .usage)
    }
  }
}
