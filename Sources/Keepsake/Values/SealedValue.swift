import Dispatch
public import KeepsakeArchive
import KeepsakeCodable
public import KeepsakeFiles
import KeepsakeSeal

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Saves one value in an encrypted file, and loads it again.
///
/// ```swift
/// try SealedValue.save(
///   settings, to: path, for: .passphrase(text))
/// let settings = try SealedValue.load(
///   Settings.self, from: path, with: .passphrase(text))
/// ```
///
/// The value is `Codable`, an `ArchiveRecord` or the root of `ArchiveObject`s. A type that is `Codable` and one of
/// the others is stored as the other, which is smaller and faster. A save that returns has replaced the file durably;
/// a save that throws has left it unchanged, unless the code is `durabilityUnknown`. For a value that an app changes
/// again and again, with defaults, versions and a second process, use ``SealedValueStore``.
///
/// In asynchronous functions Swift chooses the `async` overloads: Argon2 and the disk then block neither the caller's
/// actor nor the cooperative thread pool.
public enum SealedValue {
  /// The limits of reading when the app gives none: as many levels as `JSONEncoder` writes, and fewer on a thread
  /// whose stack is too small for them (Spec/state.md, 6).
  static var readingLimits: ArchiveLimits {
    var limits = ArchiveLimits()
    let room = (CurrentThread.stackByteCount ?? 0) / stackByteCountOfLevel
    limits.isNestingForStack = room < 512
    limits.nestingDepth = max(limits.nestingDepth, min(512, room))
    return limits
  }

  /// The stack that is set aside for each level.
  private static let stackByteCountOfLevel = 12 << 10

  private static let queue = DispatchQueue(
    label: "Keepsake.SealedValue", qos: .userInitiated, attributes: .concurrent)

  /// Saves a `Codable` value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - path: The file, as a path or a `URL`, in an existing directory; an existing file is replaced.
  ///   - key: The keys that will open the file.
  ///   - limits: The maximum size of the value, and of its nesting: by default 64 levels.
  /// - Throws: ``KeepsakeError``: `valueNotStorable` when the value cannot be encoded, the codes of keys, and
  ///   `storeUnavailable`.
  @_disfavoredOverload
  public static func save(
    _ value: some Encodable, to path: some FilePathConvertible, for key: SealedValueKey,
    limits: ArchiveLimits = .init()
  ) throws(KeepsakeError) {
    try write(encoded(value, limits: limits), to: path.filePath, for: key)
  }

  /// Saves a `Codable` value, as the synchronous overload does; another thread seals and writes it.
  @_disfavoredOverload
  nonisolated(nonsending) public static func save(
    _ value: some Encodable, to path: some FilePathConvertible, for key: SealedValueKey,
    limits: ArchiveLimits = .init()
  ) async throws(KeepsakeError) {
    let path = path.filePath
    let archive = try encoded(value, limits: limits)
    try await onQueue { () throws(KeepsakeError) in try write(archive, to: path, for: key) }
  }

  /// Loads a `Codable` value.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - path: The file, as a path or a `URL`.
  ///   - key: A key that opens the file.
  ///   - limits: The maximum size of the value, and of its nesting; nil allows 512 levels, as far as
  ///     the stack of the thread has room for them, and the defaults otherwise.
  /// - Returns: The value.
  /// - Throws: ``KeepsakeError``: `valueAbsent` when the file does not exist, `keyWrong` and the other codes of keys,
  ///   `wrongPurpose`, `damaged`, `valueUnreadable` when the file holds no such value, and `storeUnavailable`.
  @_disfavoredOverload
  public static func load<Value: Decodable>(
    _ type: Value.Type = Value.self, from path: some FilePathConvertible, with key: SealedValueKey,
    limits: ArchiveLimits? = nil
  ) throws(KeepsakeError) -> Value {
    let path = path.filePath
    return try decoded(type, read(path, with: key), limits ?? readingLimits, path)
  }

  /// Loads a `Codable` value, as the synchronous overload does; another thread reads and opens the file.
  @_disfavoredOverload
  nonisolated(nonsending) public static func load<Value: Decodable>(
    _ type: Value.Type = Value.self, from path: some FilePathConvertible, with key: SealedValueKey,
    limits: ArchiveLimits? = nil
  ) async throws(KeepsakeError) -> Value {
    let path = path.filePath
    let archive = try await onQueue { () throws(KeepsakeError) in try read(path, with: key) }
    return try decoded(type, archive, limits ?? readingLimits, path)
  }

  /// Saves a record.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - path: The file, as a path or a `URL`, in an existing directory; an existing file is replaced.
  ///   - key: The keys that will open the file.
  ///   - limits: The maximum size of the value, and of its nesting: by default 64 levels.
  /// - Throws: ``KeepsakeError``: `valueNotStorable` when the record cannot be stored, the codes of keys, and
  ///   `storeUnavailable`.
  public static func save(
    _ value: some ArchiveRecord, to path: some FilePathConvertible, for key: SealedValueKey,
    limits: ArchiveLimits = .init()
  ) throws(KeepsakeError) {
    try write(encoded(record: value, limits), to: path.filePath, for: key)
  }

  /// Saves a record, as the synchronous overload does; another thread seals and writes it.
  nonisolated(nonsending) public static func save(
    _ value: some ArchiveRecord, to path: some FilePathConvertible, for key: SealedValueKey,
    limits: ArchiveLimits = .init()
  ) async throws(KeepsakeError) {
    let path = path.filePath
    let archive = try encoded(record: value, limits)
    try await onQueue { () throws(KeepsakeError) in try write(archive, to: path, for: key) }
  }

  /// Loads a record.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - path: The file, as a path or a `URL`.
  ///   - key: A key that opens the file.
  ///   - limits: The maximum size of the value, and of its nesting; nil allows 512 levels, as far as
  ///     the stack of the thread has room for them, and the defaults otherwise.
  /// - Returns: The value.
  /// - Throws: ``KeepsakeError``: `valueAbsent` when the file does not exist, `keyWrong` and the other codes of keys,
  ///   `wrongPurpose`, `damaged`, `valueUnreadable` when the file holds no such value, and `storeUnavailable`.
  public static func load<Value: ArchiveRecord>(
    _ type: Value.Type = Value.self, from path: some FilePathConvertible, with key: SealedValueKey,
    limits: ArchiveLimits? = nil
  ) throws(KeepsakeError) -> Value {
    let path = path.filePath
    return try decoded(record: type, read(path, with: key), limits ?? readingLimits, path)
  }

  /// Loads a record, as the synchronous overload does; another thread reads and opens the file.
  nonisolated(nonsending) public static func load<Value: ArchiveRecord>(
    _ type: Value.Type = Value.self, from path: some FilePathConvertible, with key: SealedValueKey,
    limits: ArchiveLimits? = nil
  ) async throws(KeepsakeError) -> Value {
    let path = path.filePath
    let archive = try await onQueue { () throws(KeepsakeError) in try read(path, with: key) }
    return try decoded(record: type, archive, limits ?? readingLimits, path)
  }

  /// Runs work on a thread that may block.
  nonisolated(nonsending) static func onQueue<T: Sendable>(
    _ work: @escaping @Sendable () throws(KeepsakeError) -> T
  ) async throws(KeepsakeError) -> T {
    try await queue.result(of: work).get()
  }
}

// Files.
extension SealedValue {
  static func write(
    _ archive: [UInt8], to path: String, for key: SealedValueKey
  ) throws(KeepsakeError) {
    let exists = try KeepsakeError.access { () throws(FileError) in
      try DurableFile.kind(of: path) != .absent
    }
    let recipients = try KeepsakeError.preparing { () throws(KeepsakeError) in
      do throws(KeepsakeError) {
        return try key.recipients(isNew: !exists)
      } catch {
        throw ofValue(error, at: path, key)
      }
    }
    try KeepsakeError.access { () throws(SealError) in
      let context = key.purpose.context
      _ = try SealedFile.seal(
        archive.span, to: path, for: recipients,
        options: SealOptions(context: context, publicMetadata: context))
    }
  }

  static func read(_ path: String, with key: SealedValueKey) throws(KeepsakeError) -> [UInt8] {
    let kind = try KeepsakeError.access { () throws(FileError) in try DurableFile.kind(of: path) }
    guard kind != .absent else { throw absent(path) }
    let identities: [SealIdentity]
    do throws(KeepsakeError) {
      identities = try key.identities()
    } catch {
      throw ofValue(error, at: path, key)
    }
    do throws(SealError) {
      return try SealedFile.open(path, with: identities, context: key.purpose.context).read()
    } catch {
      if error.code == .fileAbsent { throw absent(path) }
      if error.code == .contextMismatch {
        throw KeepsakeError(
          .wrongPurpose,
          "The file at \(path) has this key, but holds no value for this purpose, so it was neither read nor "
            + "changed; check the path, and the purpose that the key was given.", error)
      }
      let sorted = KeepsakeError(opening: error)
      // The message has no advice to reset, since a file of the app's own has no reset.
      throw ofValue(KeepsakeError(sorted.code, error.description, error), at: path, key)
    }
  }

  /// The error of a key, with what it means for the file of a value.
  ///
  /// Errors of key stores advise to reset the state, and a value has no reset.
  private static func ofValue(
    _ error: KeepsakeError, at path: String, _ key: SealedValueKey
  ) -> KeepsakeError {
    guard error.code == .keyAbsent || error.code == .keyWrong else { return error }
    let slotTypes = (try? SealedFile.inspect(path))?.slotTypes ?? []
    let message: String
    if !slotTypes.isEmpty, slotTypes.allSatisfy({ $0 == .passphrase }), !key.isPassphrase {
      message =
        "The value at \(path) is sealed for a passphrase, and the key of this program is not one, so the file was left "
        + "as it is; pass SealedValueKey.passphrase."
    } else if !slotTypes.isEmpty, !slotTypes.contains(.passphrase), key.isPassphrase {
      message =
        "The value at \(path) is sealed for a key, and not for a passphrase, so the file was left as it is; pass the key "
        + "that it was saved with."
    } else if error.code == .keyAbsent {
      let reason = (error.underlyingError as? SealError)?.description ?? error.message
      message =
        "\(reason) The value at \(path) was left as it is. To start over without it, move that file away and save a "
        + "new value."
    } else {
      return error
    }
    return KeepsakeError(
      error.code, message, at: error.path ?? path, underlyingError: error.underlyingError)
  }

  private static func absent(_ path: String) -> KeepsakeError {
    KeepsakeError(
      .valueAbsent, "There is no file at \(path), so no value was loaded; save one there first.",
      at: path)
  }
}

// Values.
extension SealedValue {
  /// The type name of the root: the record's own, or `Value` if it states none.
  private static func rootTypeName(of type: (some ArchiveRecord).Type) -> String {
    type.archiveTypeName.isEmpty ? "Value" : type.archiveTypeName
  }

  static func encoded(
    _ value: some Encodable, version: Int? = nil, limits: ArchiveLimits
  ) throws(KeepsakeError) -> [UInt8] {
    do {
      var encoder = ArchiveEncoder()
      encoder.limits = limits
      encoder.reserved.bundleVersion = version.map(String.init)
      return Array(try encoder.encode(value))
    } catch {
      throw notStorable(error)
    }
  }

  private static func decoded<Value: Decodable>(
    _ type: Value.Type, _ archive: [UInt8], _ limits: ArchiveLimits, _ path: String
  ) throws(KeepsakeError) -> Value {
    do {
      var decoder = ArchiveDecoder()
      decoder.limits = limits
      return try decoder.decode(type, from: archive)
    } catch {
      throw unreadable(type, path, error)
    }
  }

  private static func encoded<Value: ArchiveRecord>(
    record value: Value, _ limits: ArchiveLimits
  ) throws(KeepsakeError) -> [UInt8] {
    do throws(ArchiveError) {
      var writer = ArchiveWriter(limits: limits)
      let id = writer.nextObjectID
      try writer.writeObjects([value], typeName: rootTypeName(of: Value.self))
      return try writer.finish(root: id)
    } catch {
      throw notStorable(error)
    }
  }

  private static func decoded<Value: ArchiveRecord>(
    record type: Value.Type, _ archive: [UInt8], _ limits: ArchiveLimits, _ path: String
  ) throws(KeepsakeError) -> Value {
    do {
      let archive = try Archive(archive, limits: limits)
      let root = try archive.object(archive.rootID)
      let name = rootTypeName(of: type)
      guard root.typeName == name else {
        throw ArchiveError(.typeMismatch, "it holds a \(root.typeName), and not a \(name)")
      }
      return try Value(from: root)
    } catch {
      throw unreadable(type, path, error)
    }
  }

  static func notStorable(_ error: any Error) -> KeepsakeError {
    KeepsakeError(
      .valueNotStorable,
      "The value was not saved, because it cannot be stored; nothing was written: \(words(of: error))",
      underlyingError: error)
  }

  static func unreadable(
    _ type: Any.Type, _ path: String, _ error: any Error
  ) -> KeepsakeError {
    KeepsakeError(
      .valueUnreadable,
      "The file at \(path) opened and is sound, but holds no \(type) that this program can read; it was "
        + "left as it is: \(words(of: error))", at: path, underlyingError: error)
  }

  /// The text of an error: of `DecodingError` and `EncodingError` only the part for people.
  static func words(of error: any Error) -> String {
    switch error {
    case let error as DecodingError:
      switch error {
      case .dataCorrupted(let context), .keyNotFound(_, let context),
        .typeMismatch(_, let context), .valueNotFound(_, let context):
        return words(context.debugDescription, context.codingPath)
      @unknown default: return "\(error)"
      }
    case EncodingError.invalidValue(_, let context):
      return words(context.debugDescription, context.codingPath)
    default: return "\(error)"
    }
  }

  private static func words(_ description: String, _ path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return description }
    // An index is written as in a key path of an archive.
    let steps = path.map { key in
      if let index = key.intValue, key.stringValue == "Index \(index)" { return "[\(index)]" }
      return key.stringValue
    }
    let text = DisplayedPath.text(of: steps, mostBytes: DisplayedPath.mostBytesInSentence) {
      !$0.hasPrefix("[")
    }
    return description + " (at \(text))"
  }
}
