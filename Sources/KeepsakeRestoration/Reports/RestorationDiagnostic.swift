import KeepsakeArchive

/// A notice of a save or a restore: one thing that failed or was left out, and why.
public struct RestorationDiagnostic: Hashable, Sendable {
  /// The kind of a notice; new codes may be added, so a `switch` over them needs a `default`.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The stable name of the code.
    public let rawValue: String

    /// Creates a code from its stable name, for example `"pruned"`.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A node or window root has no identifier, so it was left out with everything below it.
    public static let pruned = Code(rawValue: "pruned")
    /// The name of an object's type differs from process to process, so the object was left out with everything below
    /// it.
    public static let unstableTypeName = Code(rawValue: "unstableTypeName")
    /// Two objects have the same path, or two windows the same root; the first was kept.
    public static let duplicatePath = Code(rawValue: "duplicatePath")
    /// A reference leads to an object that cannot be saved; an empty reference was written.
    public static let unsavedReference = Code(rawValue: "unsavedReference")
    /// A container names a child whose parent is another object.
    public static let inconsistentContainment = Code(rawValue: "inconsistentContainment")
    /// An object threw, or wrote a duplicate key, while it was saved; only its place was saved.
    public static let encodingFailed = Code(rawValue: "encodingFailed")
    /// A restoration class or template is not registered under its name.
    public static let unregisteredClass = Code(rawValue: "unregisteredClass")
    /// The restoration class or template returned no object: the app does not want it back.
    public static let declined = Code(rawValue: "declined")
    /// Neither a restoration class, nor the delegate, nor an existing object, nor a template gave the object.
    public static let notFound = Code(rawValue: "notFound")
    /// An ancestor was not restored, so the object was not searched for.
    public static let ancestorNotRestored = Code(rawValue: "ancestorNotRestored")
    /// The restoration class, the delegate or the template threw an error.
    public static let factoryFailed = Code(rawValue: "factoryFailed")
    /// One instance was returned for two paths; the second path was left out.
    public static let sameInstance = Code(rawValue: "sameInstance")
    /// A new instance was returned although another one exists at the same path.
    public static let duplicateInstance = Code(rawValue: "duplicateInstance")
    /// The object is not of the saved type, so it was not asked to decode.
    public static let classMismatch = Code(rawValue: "classMismatch")
    /// The object threw while it decoded its state; it keeps the values that it had read before.
    public static let decodingFailed = Code(rawValue: "decodingFailed")
    /// A value could not be read, and its default was used instead.
    public static let valueNotRead = Code(rawValue: "valueNotRead")
    /// The value of a saved property could not be encoded; the object's other properties were saved.
    public static let valueNotWritten = Code(rawValue: "valueNotWritten")
    /// Some saved properties were found in no object; the notice names types that show no properties.
    public static let unfoundProperties = Code(rawValue: "unfoundProperties")
    /// The application did not make a saved window.
    public static let windowNotRestored = Code(rawValue: "windowNotRestored")
    /// A node was made and decoded, but nothing on screen contains or presents it.
    public static let unattached = Code(rawValue: "unattached")
    /// An override does not call `super`, so built-in state is missing.
    public static let missingSuperclassCall = Code(rawValue: "missingSuperclassCall")
    /// An object lost its own state, because it or the whole state was too large.
    public static let shed = Code(rawValue: "shed")
    /// A record that no object claimed at the last restore is kept for one more launch.
    public static let unclaimed = Code(rawValue: "unclaimed")
    /// A record of the archive is not what the engine writes.
    public static let malformedRecord = Code(rawValue: "malformedRecord")
    /// There were more notices than a report holds.
    public static let omitted = Code(rawValue: "omitted")
    /// The store could not remove the mark of the restore.
    public static let storeFailed = Code(rawValue: "storeFailed")
  }

  /// The kind of the notice.
  public let code: Code
  /// The path of the object, or of the nearest object that has one.
  public let path: RestorationPath?
  package let message: String

  init(_ code: Code, at path: RestorationPath?, _ message: String) {
    self.code = code
    self.path = path
    self.message = message.displayed
  }
}

extension RestorationDiagnostic: CustomStringConvertible {
  /// A full sentence that says what happened and what to do; control characters in names are escaped.
  public var description: String { message }
}

/// The notices of a save or a restore, limited in number.
///
/// A hostile state can cause more notices than fit into memory.
struct DiagnosticList {
  /// The maximum number of notices, without the one that counts the omitted ones.
  static let limit = 10_000

  private var kept: [RestorationDiagnostic] = []
  private var omittedCount = 0

  /// Adds a notice, and returns its index; nil when the list is full.
  @discardableResult
  mutating func report(
    _ code: RestorationDiagnostic.Code, at path: RestorationPath?,
    _ message: @autoclosure () -> String
  ) -> Int? {
    guard kept.count < Self.limit else {
      omittedCount += 1
      return nil
    }
    kept.append(RestorationDiagnostic(code, at: path, message()))
    return kept.count - 1
  }

  /// Adds a sentence to the notice at an index.
  mutating func amend(_ place: Int, _ sentence: String) {
    let notice = kept[place]
    kept[place] = RestorationDiagnostic(notice.code, at: notice.path, notice.message + sentence)
  }

  var all: [RestorationDiagnostic] {
    if omittedCount == 0 { return kept }
    return kept + [
      RestorationDiagnostic(
        .omitted, at: nil,
        "\(omittedCount) more notices were left out; mend the causes of the first ones.")
    ]
  }
}
