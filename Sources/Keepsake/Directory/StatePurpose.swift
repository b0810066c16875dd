import KeepsakeArchive
public import KeepsakeSeal

/// What a saved state is for: an application, and the session where it is one of several windows.
///
/// A state is sealed for its purpose, so that one directory's state in the place of another's is refused,
/// also where both have the same key. The purpose stands readable in the file, so that whoever has the key
/// can open it without knowing it (Spec/state.md, section 1.1).
public struct StatePurpose: Hashable, Sendable {
  /// What the app calls itself, such as its bundle identifier; empty where it has said nothing.
  public let application: String
  /// The session; `nil` for a state directory's one state.
  public let session: SessionIdentifier?

  init(application: String, session: SessionIdentifier? = nil) {
    self.application = application
    self.session = session
  }

  private static let heading = Array("keepsake state 0\n".utf8)

  /// The bytes that the state is sealed for, which is also its public metadata.
  ///
  /// Pass them to open the file of a state with the functions for sealed files.
  public var context: [UInt8] {
    Self.heading + Array("\(session?.text ?? "")\n\(application)".utf8)
  }

  /// The purpose that the public metadata of a file states; `nil` when it is none.
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
  /// The purpose as part of a sentence, fit to be shown.
  public var description: String {
    let app = application.isEmpty ? "an app without a name" : application.displayed
    return session.map { "the session \($0) of \(app)" } ?? app
  }
}

extension SealedFileSummary {
  /// What the state in the file was saved for; `nil` of a file that is no saved state.
  ///
  /// Its ``StatePurpose/context`` opens the file. Of a file that was only inspected it proves nothing.
  public var statePurpose: StatePurpose? { StatePurpose(publicMetadata) }
}
