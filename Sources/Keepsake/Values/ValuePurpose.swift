import KeepsakeSeal

/// What the file of a value is sealed for, so that no other file of the same key is taken for it (Spec/state.md,
/// section 6.1).
struct ValuePurpose: Hashable {
  /// What the value is for, in the app's own words; empty where it has said nothing.
  let name: String

  private static let heading = Array("keepsake value 0\n".utf8)

  /// The bytes that the file is sealed for, which are also its public metadata.
  var context: [UInt8] { Self.heading + Array(name.utf8) }

  /// Whether public metadata is that of a file of a value.
  static func isStated(by metadata: [UInt8]) -> Bool { metadata.starts(with: heading) }
}

extension SealedFileSummary {
  /// What the file says that it was sealed for: a state or a value that this package has saved, and nothing for any
  /// other file.
  ///
  /// Pass it as the context to open such a file without knowing what it is for. Of a file that was only inspected it
  /// proves nothing: an app that knows what it looks for says so itself.
  public var statedContext: [UInt8] {
    if let statePurpose { return statePurpose.context }
    return ValuePurpose.isStated(by: publicMetadata) ? publicMetadata : []
  }
}
