public import KeepsakeSeal

/// Where the pins of saved states are kept, so that an older state put back is refused.
///
/// Whoever can write a file can put an earlier version of it in its place, and it opens. A pin tells, as
/// far as whoever writes the states cannot write the pins: implement this over a keychain, another machine
/// or the app's own server; ``FileFreshnessStore`` keeps them in files elsewhere. What holds when a pin is
/// lost, cannot be read or cannot be kept is stated in Spec/state.md, section 1.2.
///
/// The functions are called on a thread that may block, one after the other for each state. A save waits
/// for its pin to be kept; an app that would rather go on while its server cannot be reached keeps the
/// pin in a cache of its own and gives that.
public protocol FreshnessStore: Sendable {
  /// Reads the pin that was kept last.
  ///
  /// - Parameter purpose: What the state is for.
  /// - Returns: The pin, or `nil` when none was kept: the state that is found is then accepted, and pinned.
  /// - Throws: ``KeepsakeError`` with ``KeepsakeError/Code/freshnessUnavailable`` when it is not known whether
  ///   there is a pin; the state is then neither opened nor overwritten.
  func pin(of purpose: StatePurpose) throws(KeepsakeError) -> SealedFilePin?

  /// Keeps a pin, durably, in place of the one before.
  ///
  /// - Parameters:
  ///   - pin: The pin.
  ///   - purpose: What the state is for.
  /// - Throws: ``KeepsakeError`` with ``KeepsakeError/Code/freshnessUnavailable`` when it could not be kept.
  func keep(_ pin: SealedFilePin, of purpose: StatePurpose) throws(KeepsakeError)

  /// Forgets the pin, if there is one: of a session that was erased for good.
  ///
  /// - Parameter purpose: What the state was for.
  /// - Throws: ``KeepsakeError`` with ``KeepsakeError/Code/freshnessUnavailable``.
  func removePin(of purpose: StatePurpose) throws(KeepsakeError)
}

/// Pins in files of a directory of their own, one for each state.
///
/// They tell of a backup or a synchronised folder that has brought an older state back, as long as the
/// directory is not brought back with it. They stop nobody who can write both: a program of the same user,
/// for one. The files are stated in Spec/state.md, section 1.2.
public struct FileFreshnessStore: FreshnessStore {
  /// The path of the directory.
  public let path: String

  /// Creates a store; nothing is read or written yet.
  ///
  /// - Parameter path: The path of a directory elsewhere than the states; it is made by the first pin.
  public init(path: String) {
    self.path = path
  }

  /// Reads a pin.
  ///
  /// - Parameter purpose: What the state is for.
  /// - Returns: The pin, or `nil` when there is no file of it.
  /// - Throws: ``KeepsakeError`` with `freshnessUnavailable` when its file cannot be read or is damaged.
  public func pin(of purpose: StatePurpose) throws(KeepsakeError) -> SealedFilePin? {
    let file = filePath(of: purpose)
    let bytes = try Self.access { () throws(SealError) -> [UInt8]? in
      if try DurableFile.kind(of: file) == .absent { return nil }
      return try DurableFile.read(at: file, upTo: Self.byteLimit)
    }
    guard let bytes else { return nil }
    guard let pin = Self.decode(bytes, purpose) else {
      throw KeepsakeError(
        .freshnessUnavailable,
        "The file \(file) is no pin of the state of \(purpose), so whether that state is the last one is "
          + "not known; put the file back from a copy, or remove it to accept the state as it is.",
        at: file)
    }
    return pin
  }

  /// Keeps a pin.
  ///
  /// - Parameters:
  ///   - pin: The pin.
  ///   - purpose: What the state is for.
  /// - Throws: ``KeepsakeError`` with `freshnessUnavailable` when its file cannot be written.
  public func keep(_ pin: SealedFilePin, of purpose: StatePurpose) throws(KeepsakeError) {
    let bytes = Self.encode(pin, purpose)
    try Self.access { () throws(SealError) in
      try DurableFile.createDirectory(at: path, mode: 0o700)
      try DurableFile.replace(at: filePath(of: purpose), with: bytes.span)
    }
  }

  /// Removes the file of a pin, if there is one.
  ///
  /// - Parameter purpose: What the state was for.
  /// - Throws: ``KeepsakeError`` with `freshnessUnavailable` when it cannot be removed.
  public func removePin(of purpose: StatePurpose) throws(KeepsakeError) {
    let file = filePath(of: purpose)
    try Self.access { () throws(SealError) in
      if try DurableFile.kind(of: file) != .absent { try DurableFile.remove(at: file) }
    }
  }

  private static let heading = Array("keepsake pin 1\n".utf8)
  /// A purpose is public metadata of a sealed file, which has 64 KiB at most.
  private static let byteLimit = 128 << 10

  /// The heading, the pin in hexadecimal digits, and what it is the pin of.
  private static func encode(_ pin: SealedFilePin, _ purpose: StatePurpose) -> [UInt8] {
    heading + pin.bytes.flatMap(hexadecimal) + [UInt8(ascii: "\n")] + purpose.context
  }

  private static func decode(_ bytes: [UInt8], _ purpose: StatePurpose) -> SealedFilePin? {
    let digitsEnd = heading.count + 2 * SealedFilePin.byteCount
    guard bytes.count > digitsEnd else { return nil }
    var pinBytes: [UInt8] = []
    for index in stride(from: heading.count, to: digitsEnd, by: 2) {
      let pair = String(decoding: bytes[index..<index + 2], as: UTF8.self)
      guard let byte = UInt8(pair, radix: 16) else { return nil }
      pinBytes.append(byte)
    }
    guard let pin = try? SealedFilePin(bytes: pinBytes) else { return nil }
    // Only the very bytes that would be written for this state: no other state's pin, nothing half.
    return bytes == encode(pin, purpose) ? pin : nil
  }

  private static func hexadecimal(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
  }

  /// The file of a state's pin: no two states have the same.
  private func filePath(of purpose: StatePurpose) -> String {
    let name = purpose.application.utf8.flatMap { byte -> [UInt8] in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."):
        [byte]
      default: [UInt8(ascii: "%")] + Self.hexadecimal(byte)
      }
    }
    let session = purpose.session.map { "@\($0)" } ?? ""
    return "\(path)/pin-\(String(decoding: name, as: UTF8.self))\(session)"
  }

  private static func access<T>(_ work: () throws(SealError) -> T) throws(KeepsakeError) -> T {
    do throws(SealError) {
      return try work()
    } catch {
      throw KeepsakeError(.freshnessUnavailable, error)
    }
  }
}
