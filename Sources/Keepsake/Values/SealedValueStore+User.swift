public import KeepsakeArchive

extension SealedValueStore {
  /// A store in the user's home, whose key is in a key file beside it.
  ///
  /// ```swift
  /// let store = try SealedValueStore.user(
  ///   "com.example.reader", default: Settings())
  /// ```
  ///
  /// The file is `values/settings` in the directory that ``StateDirectory/user(_:)`` has for the app. The directory is
  /// made with the first save, for this user alone. All values of an app share one key, and each has its name as its
  /// purpose.
  ///
  /// - Parameters:
  ///   - identifier: The bundle identifier of the app, such as `com.example.reader`.
  ///   - name: The name of the value among those of the app, which is the name of its file.
  ///   - defaultValue: The value when the file does not exist, and the values of keys that a file lacks.
  ///   - migrations: The steps for older values: the first one from version 1 to version 2, and so on.
  ///   - unknownKeys: The treatment of keys in the file that the type does not know; by default they are kept.
  ///   - patience: How long each call waits while other processes, or other parts of this one, use the file.
  ///   - limits: The maximum size of the value, and of its nesting, as the initialiser takes it.
  /// - Returns: The store; nothing is read or written yet.
  /// - Throws: ``KeepsakeError`` with `storeUnavailable` when the identifier or the name cannot name a file, or the
  ///   user has no home directory.
  public static func user(
    _ identifier: String, name: String = "settings", default defaultValue: Value,
    migrations: [ValueMigration] = [], unknownKeys: UnknownKeys = .keep,
    patience: Duration = .seconds(5), limits: ArchiveLimits? = nil
  ) throws(KeepsakeError) -> SealedValueStore {
    let place = try ValuePlaceInHome(
      directory: StateDirectory.user(identifier), name: name)
    return SealedValueStore(
      path: place.path, key: place.key, default: defaultValue, migrations: migrations,
      unknownKeys: unknownKeys, patience: patience, limits: limits)
  }
}

/// The path and the key of a value in the directory of an app.
struct ValuePlaceInHome {
  let path: String
  let key: SealedValueKey

  init(directory: StateDirectory, name: String) throws(KeepsakeError) {
    guard !name.isEmpty, !name.hasPrefix("."), name != "key", !name.hasSuffix(".lock"),
      !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
    else {
      throw KeepsakeError(
        .storeUnavailable,
        "\"\(name)\" cannot name the file of a value; use a word such as settings.")
    }
    // The values have a folder of their own, so that a reset of the state does not set their key aside.
    let folder = directory.path + "/values"
    path = folder + "/" + name
    key = .keyStore(KeyFileStore(path: folder + "/key")).forPurpose(
      directory.purpose.application + " " + name)
  }
}
