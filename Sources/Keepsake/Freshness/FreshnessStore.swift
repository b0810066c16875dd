public import KeepsakeFiles
public import KeepsakeSeal

/// Stores the pins of saved states, so that an older state that replaces a newer one is refused.
///
/// A program that can write a file can replace it by an earlier version, which opens as well. A pin reveals that, as
/// long as the same program cannot write the pins: implement this protocol with a keychain, another machine or the
/// app's own server; ``FileFreshnessStore`` keeps pins in files of another directory. Spec/state.md, section 1.2,
/// states what happens when a pin is lost, or cannot be read or stored.
///
/// The functions are called on a thread that may block, one after the other for each state. A save waits until its
/// pin is stored; an app that should work while its server is unreachable returns the pin from a cache of its own.
public protocol FreshnessStore: Sendable {
  /// Reads the latest pin.
  ///
  /// - Parameter purpose: The purpose of the state.
  /// - Returns: The pin, or `nil` when none was stored: the present state is then accepted, and pinned.
  /// - Throws: ``KeepsakeError`` with ``KeepsakeError/Code/freshnessUnavailable`` when it is unknown whether there is
  ///   a pin; the state is then neither opened nor overwritten.
  func pin(of purpose: StatePurpose) throws(KeepsakeError) -> SealedFilePin?

  /// Stores a pin durably, and replaces the previous one.
  ///
  /// - Parameters:
  ///   - pin: The pin.
  ///   - purpose: The purpose of the state.
  /// - Throws: ``KeepsakeError`` with ``KeepsakeError/Code/freshnessUnavailable`` when it could not be stored.
  func keep(_ pin: SealedFilePin, of purpose: StatePurpose) throws(KeepsakeError)

  /// Removes the pin, if there is one, of a session that was erased.
  ///
  /// - Parameter purpose: The purpose of the state.
  /// - Throws: ``KeepsakeError`` with ``KeepsakeError/Code/freshnessUnavailable``.
  func removePin(of purpose: StatePurpose) throws(KeepsakeError)
}

/// Stores pins in files of a directory of their own, one for each state.
///
/// They reveal that a backup or a synchronized folder has restored an older state, as long as the directory of the
/// pins is not restored with it. They do not stop a program that can write both, such as any program of the same
/// user. Spec/state.md, section 1.2, defines the files.
public struct FileFreshnessStore: FreshnessStore {
  /// The path of the directory.
  package let path: String

  /// Creates a store; nothing is read or written yet.
  ///
  /// The path is that of a directory outside of the states' directories; the first pin creates it.
  public init(path: some FilePathConvertible) {
    self.path = path.filePath
  }

  /// Reads a pin; `nil` when it has no file.
  ///
  /// Throws ``KeepsakeError`` with `freshnessUnavailable` when its file cannot be read or is damaged.
  public func pin(of purpose: StatePurpose) throws(KeepsakeError) -> SealedFilePin? {
    let file = filePath(of: purpose)
    let bytes = try Self.access { () throws(FileError) -> [UInt8]? in
      if try DurableFile.kind(of: file) == .absent { return nil }
      return try DurableFile.read(at: file, upTo: Self.byteLimit)
    }
    guard let bytes else { return nil }
    guard let pin = Self.decode(bytes, purpose) else {
      throw KeepsakeError(
        .freshnessUnavailable,
        "The file \(file) is not a pin of the state of \(purpose), so it is unknown whether that state is "
          + "the latest; put the file back from a copy, or remove it to accept the state as it is.",
        at: file)
    }
    return pin
  }

  /// Stores a pin.
  ///
  /// Throws ``KeepsakeError`` with `freshnessUnavailable` when its file cannot be written.
  public func keep(_ pin: SealedFilePin, of purpose: StatePurpose) throws(KeepsakeError) {
    let bytes = Self.encode(pin, purpose)
    try Self.access { () throws(FileError) in
      try DurableFile.createDirectory(at: path, mode: 0o700)
      try DurableFile.replace(at: filePath(of: purpose), with: bytes.span)
    }
  }

  /// Removes the file of a pin, if there is one.
  ///
  /// Throws ``KeepsakeError`` with `freshnessUnavailable` when it cannot be removed.
  public func removePin(of purpose: StatePurpose) throws(KeepsakeError) {
    let file = filePath(of: purpose)
    try Self.access { () throws(FileError) in
      if try DurableFile.kind(of: file) != .absent { try DurableFile.remove(at: file) }
    }
  }

  private static let heading = Array("keepsake pin 1\n".utf8)
  /// A purpose is public metadata of a sealed file, so it has at most 64 KiB.
  private static let byteLimit = 128 << 10

  /// The heading, the pin in hexadecimal digits, and the context of the purpose.
  private static func encode(_ pin: SealedFilePin, _ purpose: StatePurpose) -> [UInt8] {
    heading + pin.bytes.hexadecimal.utf8 + [UInt8(ascii: "\n")] + purpose.context
  }

  private static func decode(_ bytes: [UInt8], _ purpose: StatePurpose) -> SealedFilePin? {
    let digitsEnd = heading.count + 2 * SealedFilePin.byteCount
    guard bytes.count > digitsEnd,
      let pinBytes = [UInt8](hexadecimal: bytes[heading.count..<digitsEnd]),
      let pin = try? SealedFilePin(bytes: pinBytes)
    else { return nil }
    // Accepts only exactly the bytes that `keep` writes for this state.
    return bytes == encode(pin, purpose) ? pin : nil
  }

  /// The path of the file of a state's pin, unique for each state.
  private func filePath(of purpose: StatePurpose) -> String {
    let name = purpose.application.utf8.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."):
        [byte]
      default: Array("%\([byte].hexadecimal)".utf8)
      }
    }
    let session = purpose.session.map { "@\($0)" } ?? ""
    return "\(path)/pin-\(String(decoding: name, as: UTF8.self))\(session)"
  }

  private static func access<T>(_ work: () throws(FileError) -> T) throws(KeepsakeError) -> T {
    do throws(FileError) {
      return try work()
    } catch {
      throw KeepsakeError(.freshnessUnavailable, error)
    }
  }
}
