import ArgumentParser
import CommandSupport
import Keepsake

/// The option that names the key for signing a file.
struct SigningOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Sign the file with a signing key, so that readers can tell who wrote it.", valueName: "file")
  )
  var sign: String?

  /// The signing key, if one was named.
  var key: SealSigningKey? {
    get throws(Failure) {
      guard let sign else { return nil }
      return try Self.key(at: sign)
    }
  }

  static func key(at path: String) throws(Failure) -> SealSigningKey {
    do throws(SealError) {
      return try SealSigningKey.read(at: path)
    } catch {
      throw Failure(unusableKey: error)
    }
  }
}

/// The options for the signature that a reader requires.
struct SignerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Ask for the signature of a signer: a text that begins with keepsake-signer1. May be repeated, "
        + "for one of several.", valueName: "signer"))
  var signer: [String] = []

  @Flag(help: "Ask for any signature, and print its signer.")
  var anySigner = false

  func policy() throws(Failure) -> SealPolicy {
    do throws(SealError) {
      var signers: [SealSigner] = []
      for text in signer { signers.append(try SealSigner(text)) }
      if !signers.isEmpty { return SealPolicy(signature: .trusted(signers)) }
      return SealPolicy(signature: anySigner ? .anySigner : .notRequired)
    } catch {
      throw Failure(error.description, .usage)
    }
  }
}
