import KeepsakeArchive
import KeepsakeDocuments

/// A pass over an archive in which no object has been inserted or changed yet.
///
/// An object is released when it has been written, so memory does not grow with the number of objects.
struct RewritingPass {
  /// The way in which the objects of one shape are written.
  private enum Strategy {
    /// No object of the shape has been read yet.
    case unknown
    /// Each object is read whole, edited and written.
    case reading
    case program(ShapeProgram)
  }

  struct Failure: Error {
    var part: Int
    var edit: MigrationEdit
    var cause: ArchiveError
  }

  private let document: ArchiveDocument
  private let parts: [MigrationStage.Part]
  private var copier: RecordCopier
  /// The strategies, by the numbers of the shapes.
  private var strategies: [Strategy] = []
  /// For each part, the number of changed objects that a shape program wrote.
  private(set) var counts: [Int]
  /// True for each part whose list in the report is full; other parts still list their changes, so the objects that
  /// they may change are read whole.
  var isListed: [Bool]
  private var computed: [ComputedValue] = []
  /// True for each part whose conversions changed a value of the current object.
  private var converted: [Bool]

  init(_ parts: [MigrationStage.Part], _ document: ArchiveDocument) {
    self.document = document
    self.parts = parts
    copier = RecordCopier(barring: parts.flatMap(\.edits).compactMap(\.barredType))
    counts = Array(repeating: 0, count: parts.count)
    isListed = Array(repeating: true, count: parts.count)
    converted = Array(repeating: false, count: parts.count)
  }

  /// Writes an object by the program for its shape; false when it has to be read whole.
  mutating func write(
    _ object: borrowing ObjectDecoder, to writer: inout ArchiveWriter
  ) throws -> Bool {
    let shape = object.shapeNumber
    guard shape < strategies.count, case .program(let program) = strategies[shape] else {
      prepare(object)
      return false
    }
    guard program.mayChange.allSatisfy({ isListed[$0] }) else { return false }
    guard try convert(object, program) else {
      strategies[shape] = .reading
      return false
    }
    copier.hasMetBarred = false
    do {
      try writer.writeObject(
        object.objectID, typeName: program.typeName, schemaVersion: program.schemaVersion
      ) { coder in
        try coder.encode(program.copyPlan, of: object, computed: computed, &copier)
      }
    } catch {
      guard copier.hasMetBarred else { throw error }
      strategies[shape] = .reading
      return false
    }
    for part in program.mayChange where program.changes[part] || converted[part] {
      counts[part] += 1
    }
    return true
  }

  /// Makes the program for the shape of an object; the first object of a shape is read whole, since many shapes have
  /// only one object.
  @inline(never)
  private mutating func prepare(_ object: borrowing ObjectDecoder) {
    let shape = object.shapeNumber
    while strategies.count <= shape { strategies.append(.unknown) }
    guard case .unknown = strategies[shape] else { return }
    // The effect of an edit depends on whether its key is present, so a program is made only when no key is absent.
    let program = object.hasAbsentValues ? nil : ShapeProgram(parts, object)
    strategies[shape] = program.map { .program($0) } ?? .reading
  }

  /// Computes the converted values of an object; false when a value may contain records to which later edits apply.
  private mutating func convert(
    _ object: borrowing ObjectDecoder, _ program: ShapeProgram
  ) throws -> Bool {
    if program.conversions.isEmpty { return true }
    computed.removeAll(keepingCapacity: true)
    for _ in 0..<program.computedCount { computed.append(ComputedValue(.null)) }
    for part in program.mayChange { converted[part] = false }
    let list = program.conversions
    let conversions = list.span
    for index in conversions.indices {
      var old: ComputedValue
      switch conversions[index].source {
      case .slot(let slot): old = try object.computedValue(ofSlot: slot)
      case .constant(let value): old = ComputedValue(value)
      case .computed(let number): old = computed[number]
      }
      let new: DynamicValue
      do {
        new = try conversions[index].convert(old.value)
      } catch {
        throw Failure(
          part: conversions[index].part, edit: conversions[index].edit,
          cause: .edit("\(error)", key: conversions[index].key))
      }
      if new.isContainer { return false }
      if case .reference(let id?) = new { try document.requireStored(id) }
      if new != old.value { converted[conversions[index].part] = true }
      old.replace(by: new)
      computed[conversions[index].target] = old
    }
    return true
  }
}

extension MigrationEdit {
  /// The type of the records that the edit changes at any depth; nil for other edits.
  fileprivate var barredType: RecordCopier.BarredType? {
    guard case .records(let typeName, _) = action else { return nil }
    if case .schema(let from) = kind { return .init(name: typeName, schemaVersion: from) }
    return .init(name: typeName)
  }
}

extension ComputedValue {
  /// Replaces the value; an optional value stays optional, with the tag of the new one.
  fileprivate mutating func replace(by new: DynamicValue) {
    if let tag = optionalTag, new != .null, new.storedTag != tag { optionalTag = new.storedTag }
    value = new
  }
}
