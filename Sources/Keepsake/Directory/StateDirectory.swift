public import KeepsakeFiles

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The directory of an app's state, with the names of the files in it.
public struct StateDirectory: Hashable, Sendable {
  /// The path of the directory.
  public let path: String
  /// The purpose of the state; a state that was saved for another purpose is not opened.
  public internal(set) var purpose: StatePurpose
  /// True when a file system without locks is accepted, such as some network file systems.
  ///
  /// By default it is refused. Without locks nothing prevents two processes from overwriting each other's saves, so
  /// allow it only for a directory that one process uses at a time.
  public var allowsMissingLocks = false

  /// Creates the value for a directory; the directory itself is not created yet.
  ///
  /// - Parameters:
  ///   - path: A directory that only this app uses, as a path or a `URL`.
  ///   - application: The app's own name, the same in every launch, such as its bundle identifier. A state that was
  ///     saved under another name is refused.
  public init(path: some FilePathConvertible, application: String = "") {
    self.init(path: path.filePath, purpose: StatePurpose(application: application))
  }

  init(path: String, purpose: StatePurpose) {
    self.path = path
    self.purpose = purpose
  }

  /// The directory for an app's state in the user's home.
  ///
  /// On Linux it is `$XDG_STATE_HOME/<identifier>`, or `~/.local/state/<identifier>`; on Apple
  /// platforms `~/Library/Application Support/<identifier>`.
  ///
  /// The identifier is the bundle identifier of the app, such as `com.example.contacts`. It is also the purpose of the
  /// state.
  ///
  /// - Throws: ``KeepsakeError`` when the identifier is not a valid directory name, or the user has no home
  ///   directory.
  public static func user(_ identifier: String) throws(KeepsakeError) -> StateDirectory {
    guard !identifier.isEmpty, !identifier.hasPrefix("."),
      !identifier.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
    else {
      throw KeepsakeError(
        .storeUnavailable,
        "\"\(identifier)\" cannot name a state directory; use a bundle identifier such as "
          + "com.example.contacts.")
    }
    let home = try userStateHome(ProcessInfo.processInfo.environment)
    return StateDirectory(path: home + "/" + identifier, application: identifier)
  }

  /// The directory of all apps' states, according to the environment.
  static func userStateHome(_ environment: [String: String]) throws(KeepsakeError) -> String {
    #if os(Linux)
      // The XDG Base Directory rules ignore a relative path.
      if let home = environment["XDG_STATE_HOME"], home.hasPrefix("/") { return home }
      let folder = "/.local/state"
    #else
      let folder = "/Library/Application Support"
    #endif
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw KeepsakeError(
        .storeUnavailable,
        "The user has no home directory to keep state in; set HOME, or name a directory.")
    }
    return home + folder
  }

  /// The path of the sealed archive.
  public var archivePath: String { path + "/state.keepsake" }
  /// The path of the key file, the default key store.
  public var keyPath: String { path + "/key" }
  /// The path of the lock file, which is locked by the process that uses the archive.
  package var lockPath: String { path + "/lock" }
  /// The path of the directory of the sessions, for apps with several windows.
  package var sessionsPath: String { path + "/sessions" }
  /// The path of the mark that a restore is under way.
  package var restorationMarkPath: String { path + "/restoring" }
}
