import Keepsake

/// The options of the command line.
struct Options {
  /// The error for wrong arguments.
  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  static let help = """
    OVERVIEW: Keeps contacts in windows that come back as they were, however the app ended.

    USAGE: desktop-contacts [--directory <dir>] [--passphrase] [--bundle-version <version>]
                            [--journal <file>] [--rows-with <file>]

    OPTIONS:
      --directory <dir>           The directory for contacts and states; by default one of the user's.
      --passphrase                Keep the key of the states under a passphrase.
      --bundle-version <version>  The version that the app pretends to have; by default 1.0.
      --journal <file>            Write down what the widgets show at each save; for tests.
      --rows-with <file>          Show no contacts before the file is there, as if they came from elsewhere; for tests.

    """

  var state: StateDirectory
  var needsPassphrase = false
  var version: BundleVersion
  var journalPath: String?
  /// The file that the contacts wait for; nil when they are there from the start.
  var rowsPath: String?

  /// Reads the arguments of a command line, without the program's name.
  init(_ arguments: [String]) throws {
    var (directory, version): (String?, String) = (nil, "1.0")
    var rest = arguments[...]
    func value(of option: String) throws -> String {
      guard let value = rest.popFirst() else {
        throw UsageError(description: "The option \(option) needs a value; see --help.")
      }
      return value
    }
    while let option = rest.popFirst() {
      switch option {
      case "--directory": directory = try value(of: option)
      case "--passphrase": needsPassphrase = true
      case "--bundle-version": version = try value(of: option)
      case "--journal": journalPath = try value(of: option)
      case "--rows-with": rowsPath = try value(of: option)
      default:
        throw UsageError(description: "There is no option \(option); see --help.")
      }
    }
    let identifier = "com.example.keepsake-desktop-contacts"
    state =
      try directory.map { StateDirectory(path: $0, application: identifier) } ?? .user(identifier)
    self.version = try BundleVersion(version)
  }
}
