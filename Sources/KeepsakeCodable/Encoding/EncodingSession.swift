import KeepsakeArchive

/// The state that all encoders of one call share.
final class EncodingSession {
  private(set) var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  let limits: ArchiveLimits
  let assembler = SharedAssembler()

  /// The first mistake in a call that cannot throw.
  private(set) var failure: EncodingError?
  /// True when the app wrote to a value that was already complete; the top-level value is then encoded again as a
  /// tree.
  private(set) var needsTree = false
  private let types = TypeTable<EncodedType>()
  /// The number of the plan whose roots the containers have cached.
  private var planNumber = RecordAssembler.noPlanNumber
  /// The number of the current archive: this session counts its archives from 1.
  private var archive: UInt32 = 0

  init(limits: ArchiveLimits) { self.limits = limits }

  func begin(_ userInfo: [CodingUserInfoKey: any Sendable]) {
    self.userInfo = userInfo
    archive += 1
  }

  /// Clears the roots that the containers have cached, unless they belong to the current plan.
  func followPlan(at level: EncodingLevel) {
    let number = assembler.value.planNumber
    if number == planNumber, number != RecordAssembler.noPlanNumber { return }
    level.forgetRoots()
    planNumber = number
  }

  /// Ends an archive; false if the next one needs a new session.
  func end() -> Bool {
    userInfo = [:]
    return failure == nil && !needsTree && assembler.value.isClear && types.count <= 512
      && archive < .max - 1
  }

  func encode(_ value: some Encodable, at level: EncodingLevel) throws {
    followPlan(at: level)
    do {
      try level.encode(value, of: assembler.value.begin())
    } catch {
      if !needsTree { throw error }
    }
    if needsTree { try level.encodeAgain(value) }
    if let failure { throw failure }
  }

  @inline(__always)
  func type<Value: Encodable>(_ type: Value.Type) -> EncodedType {
    types.row(of: ObjectIdentifier(type)) { EncodedType(type) }
  }

  /// The tag of an omitted value (Spec/archive.md, 5.3): the tag that its type determines, or the tag of the type's
  /// first value in the archive; `null` before there is one.
  func tag<Value: Encodable>(of type: Value.Type) -> ArchiveTag {
    let row = self.type(type)
    return knowsTag(row) ? row.tag : .null
  }

  /// True when the tag of omitted values of a type is known.
  @inline(__always)
  func knowsTag(_ type: EncodedType) -> Bool { type.archive == archive || type.archive == .max }

  /// Records the tag of the first value of a type, which was just encoded.
  @inline(never)
  func noteTag<Value: Encodable>(of type: Value.Type) {
    let tag = assembler.value.openTag
    if tag == .null || assembler.value.isInside { return }
    change(type) {
      if knowsTag($0) { return }
      ($0.tag, $0.archive) = (tag, archive)
    }
  }

  /// The way to encode the next value of a type in this archive.
  func way(of type: EncodedType) -> EncodedType.Way {
    type.wayArchive == archive ? type.way : .direct
  }

  /// Records the way to encode the next value of a type.
  func note<Value: Encodable>(_ way: EncodedType.Way, of type: Value.Type) {
    if assembler.value.isInside { return }
    change(type) { ($0.way, $0.wayArchive) = (way, archive) }
  }

  private func change<Value: Encodable>(_ type: Value.Type, _ body: (inout EncodedType) -> Void) {
    var row = self.type(type)
    body(&row)
    types.set(row, for: ObjectIdentifier(type))
  }

  /// Records that a value cannot be written while it encodes itself.
  func giveUp(_ serial: Int) {
    if !assembler.value.abandon(serial) { needsTree = true }
  }

  /// Records a mistake, which is thrown when encoding ends.
  func fail(_ error: EncodingError) {
    if failure == nil { failure = error }
  }

  /// Records that a value was written to after it was in the archive.
  func writtenLate() { needsTree = true }

  func tooDeep(_ value: Any, at path: [any CodingKey]) -> EncodingError {
    .misuse(
      "Values are nested deeper than \(limits.nestingDepth) levels. "
        + "\(LimitName.nestingDepth.advice)", of: value, at: path)
  }
}

/// The way to write values of a type.
struct EncodedType {
  typealias Form = LibraryForm<any LibraryEncodable.Type>

  enum Way {
    case direct
    /// The value opens nested containers itself.
    case withContainers
    /// The value is encoded into a tree, since it could not be written while it encoded itself.
    case asTree
  }

  let form: Form
  /// The tag that the type determines, or the tag of its first value in ``archive``.
  var tag = ArchiveTag.null
  /// The number of the archive in which ``tag`` was found; `max` when the type alone determines the tag.
  var archive: UInt32 = 0
  /// The way that earlier values in the archive ``wayArchive`` needed.
  var way = Way.direct
  /// The number of the archive in which ``way`` was found.
  var wayArchive: UInt32 = 0

  init<Value: Encodable>(_ type: Value.Type) {
    form = Form(of: type, sizes: [Form.collectionSize])
    switch form {
    case .itself: break
    case .text: tag = .string
    case .scalar(let kind): tag = kind.archiveTag
    case .native(let kind): tag = kind.archiveTag
    case .texts, .row: tag = .array
    case .kind(let kind): if kind.isArray { tag = .array }
    }
    if tag != .null { archive = .max }
  }
}

extension EncodingError {
  static func misuse(_ description: String, of value: Any, at path: [any CodingKey]) -> Self {
    .invalidValue(value, Context(codingPath: path, debugDescription: description))
  }
}
