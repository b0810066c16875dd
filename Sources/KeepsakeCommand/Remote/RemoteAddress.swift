import CommandSupport
import Keepsake

/// The address of an object in an object store, `s3://bucket/key`, or of a file on a web server.
struct RemoteAddress {
  /// The address in sentences and reports, without a password and without the part after a question mark, which may be
  /// a signature.
  let shown: String
  /// The address as the user has written it.
  let text: String
  /// True when the address begins with `s3://`.
  let isInStore: Bool

  /// Recognizes an address; nil for each argument that is a path.
  init?(_ argument: String) {
    guard let mark = argument.firstRange(of: "://") else { return nil }
    let scheme = argument[..<mark.lowerBound].lowercased()
    guard ["s3", "https", "http"].contains(scheme) else { return nil }
    text = argument
    isInStore = scheme == "s3"
    var place = argument[mark.upperBound...]
    if !isInStore { place = place.prefix { $0 != "?" && $0 != "#" } }
    let host = place.prefix { $0 != "/" }
    let nameless = host.lastIndex(of: "@").map { place[place.index(after: $0)...] } ?? place
    shown = "\(scheme)://\(nameless)".displayed
  }

  /// Looks at the file, whose parts are fetched when they are needed.
  func open() throws -> any PositionedSource {
    #if Remote
      return try RemoteFile(object())
    #else
      throw unavailable
    #endif
  }

  /// Prepares to write an object, and looks up its current version.
  func prepareUpload() throws -> any RemoteUpload {
    #if Remote
      return try ObjectUpload(to: self)
    #else
      throw unavailable
    #endif
  }

  /// The journal whose files are below this address; its parts are fetched when they are needed.
  func journal(with keys: JournalKeys) throws -> JournalDirectory {
    #if Remote
      return try remoteJournal(with: keys)
    #else
      throw unavailable
    #endif
  }

  #if !Remote
    /// The failure of a build without the trait.
    private var unavailable: Failure {
      Failure(
        "\(shown) is the address of \(isInStore ? "an object in an object store" : "a file on a web server"), and this "
          + "build of keepsake reads and writes only files. Build one that has object stores, by "
          + "\"swift build -c release --traits Remote --product keepsake\".", .usage)
    }
  #endif
}

/// An object that is about to be written.
protocol RemoteUpload {
  /// Seals the bytes that `write` appends, and uploads them meanwhile.
  ///
  /// `append` returns the number of bytes of the sealed file that the store has acknowledged so far. When `seal` returns,
  /// the store has the object. When it throws, the object is as it was.
  func seal(
    for recipients: [SealRecipient], options: SealOptions,
    _ write: (_ append: ([UInt8]) throws -> Int) throws -> Void
  ) throws
}
