import KeepsakeArchive
public import KeepsakeSeal

/// The purpose of a saved state: an application, and a session when the state is one of several windows.
///
/// A state is sealed for its purpose, so that a state of another purpose in its place is refused, even with the same
/// key. The purpose can be read in the file, so that the key alone is enough to open it (Spec/state.md, section 1.1).
public struct StatePurpose: Hashable, Sendable {
  /// The app's own name, such as its bundle identifier; empty when the app has given none.
  public let application: String
  /// The session; `nil` for the single state of a state directory.
  public let session: SessionIdentifier?

  init(application: String, session: SessionIdentifier? = nil) {
    self.application = application
    self.session = session
  }

  private static let heading = Array("keepsake state 0\n".utf8)

  /// The context that the state is sealed with, which is also its public metadata.
  ///
  /// Pass them to open the file of a state with the functions for sealed files.
  public var context: [UInt8] {
    Self.heading + Array("\(session?.text ?? "")\n\(application)".utf8)
  }

  /// The purpose in the public metadata of a file; nil when the metadata holds no purpose.
  init?(_ metadata: [UInt8]) {
    guard metadata.starts(with: Self.heading) else { return nil }
    let rest = metadata.dropFirst(Self.heading.count)
    guard let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")),
      let name = String(validating: rest[..<lineEnd], as: UTF8.self),
      let application = String(validating: rest[(lineEnd + 1)...], as: UTF8.self)
    else { return nil }
    let session = name.isEmpty ? nil : try? SessionIdentifier(name)
    guard name.isEmpty || session != nil else { return nil }
    self.init(application: application, session: session)
  }
}

extension StatePurpose: CustomStringConvertible {
  /// The purpose as part of a sentence, with control characters escaped.
  public var description: String {
    let app = application.isEmpty ? "an app without a name" : application.displayed
    return session.map { "the session \($0) of \(app)" } ?? app
  }
}

extension SealedFileSummary {
  /// The purpose of the state in the file; `nil` for a file that is not a saved state.
  ///
  /// Its ``StatePurpose/context`` opens the file. If the file was only inspected, the purpose is not verified.
  public var statePurpose: StatePurpose? { StatePurpose(publicMetadata) }
}
