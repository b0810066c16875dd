/// What an archive says about its own making.
///
/// These values are inputs: nothing in the library reads a clock or a system version, so the same
/// input gives the same bytes. They are read back through ``Archive/reserved``, and through the
/// reserved keys of every object's decoder (Spec/archive.md, 4.6).
public struct ReservedValues: Hashable, Sendable {
  /// The version of the program that writes, such as "11.0".
  public var bundleVersion: String?
  /// The user interface idiom that the program runs under.
  public var userInterfaceIdiom: Int?
  /// When the state was saved.
  public var timestamp: ArchiveDate?
  /// The version of the operating system.
  public var systemVersion: String?

  /// Makes a set of reserved values; what is nil is not written.
  ///
  /// - Parameters:
  ///   - bundleVersion: The version of the program that writes.
  ///   - userInterfaceIdiom: The user interface idiom that the program runs under.
  ///   - timestamp: When the state was saved.
  ///   - systemVersion: The version of the operating system.
  public init(
    bundleVersion: String? = nil, userInterfaceIdiom: Int? = nil, timestamp: ArchiveDate? = nil,
    systemVersion: String? = nil
  ) {
    self.bundleVersion = bundleVersion
    self.userInterfaceIdiom = userInterfaceIdiom
    self.timestamp = timestamp
    self.systemVersion = systemVersion
  }
}
