import CommandSupport
import Keepsake

/// Changes one value of an archive at a path, and keeps all others as they are.
struct ArchiveEditor {
  /// Thrown when the value to change is absent.
  struct Absent: Error {}

  private let finder: ValueFinder
  private var document: ArchiveDocument
  private var hasChanged = false

  init(_ archive: Archive) throws(ArchiveError) {
    finder = ValueFinder(archive)
    document = try ArchiveDocument(archive)
  }

  /// The bytes of the archive; nil when nothing has changed.
  func encoded() throws(ArchiveError) -> [UInt8]? {
    hasChanged ? try document.encoded() : nil
  }

  /// Changes the value at a path.
  ///
  /// `replace` gets the current value, or nil for a key that a record or a dictionary does not have yet, and
  /// returns the new one, or nil to remove it.
  mutating func change(
    _ path: ValuePath, _ replace: (DynamicValue?) throws -> DynamicValue?
  ) throws {
    guard path.places == nil, !path.steps.isEmpty else {
      throw Failure(
        "A whole object or a range is not changed at once; name one value, as in contacts[0].name.",
        .usage)
    }
    var object = try finder.object(at: path)
    var steps = path.steps[...]
    if path.start == nil, try finder.beginsInWrappedValue(path) {
      steps = [.name("value")] + steps
    }
    // Each turn goes through one object; a reference leads to the next.
    while true {
      var next: (ArchiveObjectID, ArraySlice<ValuePath.Step>)?
      var record = DynamicValue.record(try document.object(object))
      let old = record
      do {
        next = try Self.edit(&record, steps, replace)
      } catch is Absent {
        // The finder says which step has no value, and what there is instead.
        _ = try finder.place(at: path)
        throw Failure("There is no value at this path that could be changed.", .noInput)
      }
      if case .record(let changed) = record, record != old {
        try document.update(object) { $0 = changed }
        hasChanged = true
      }
      guard let (id, rest) = next else { return }
      (object, steps) = (id, rest)
    }
  }

  /// Follows steps into a value, and changes the value at their end.
  ///
  /// The result is nil when the change is made. When a reference is on the way, it is the next object with the
  /// remaining steps.
  private static func edit(
    _ value: inout DynamicValue, _ steps: ArraySlice<ValuePath.Step>,
    _ replace: (DynamicValue?) throws -> DynamicValue?
  ) throws -> (ArchiveObjectID, ArraySlice<ValuePath.Step>)? {
    guard let step = steps.first else { throw Absent() }
    switch value {
    case .reference(let id?): return (id, steps)
    case .record(var record):
      let result = try edit(&record, steps, replace)
      value = .record(record)
      return result
    case .enumeration(let name, var record):
      let result = try edit(&record, steps, replace)
      value = .enumeration(name, record)
      return result
    case .array(var values):
      guard case .index(let index) = step, values.indices.contains(index) else { throw Absent() }
      if steps.count > 1 {
        let result = try edit(&values[index], steps.dropFirst(), replace)
        value = .array(values)
        return result
      }
      if let new = try replace(values[index]) {
        values[index] = new
      } else {
        values.remove(at: index)
      }
      value = .array(values)
      return nil
    case .dictionary(var entries):
      let index = entries.firstIndex { ValueFinder.isKey($0.key, step) }
      if steps.count > 1 {
        guard let index else { throw Absent() }
        let result = try edit(&entries[index].value, steps.dropFirst(), replace)
        value = .dictionary(entries)
        return result
      }
      let new = try replace(index.map { entries[$0].value })
      switch (index, new) {
      case (let index?, let new?): entries[index].value = new
      case (let index?, nil): entries.remove(at: index)
      case (nil, let new?):
        guard let key = try newKey(step, besides: entries) else { throw Absent() }
        entries.append(DynamicEntry(key: key, value: new))
      case (nil, nil): throw Absent()
      }
      value = .dictionary(entries)
      return nil
    default: throw Absent()
    }
  }

  private static func edit(
    _ record: inout DynamicRecord, _ steps: ArraySlice<ValuePath.Step>,
    _ replace: (DynamicValue?) throws -> DynamicValue?
  ) throws -> (ArchiveObjectID, ArraySlice<ValuePath.Step>)? {
    guard let (index, count) = ValueFinder.field(steps, in: record) else {
      guard steps.count == 1, let name = ValueFinder.name(steps[steps.startIndex]),
        let new = try replace(nil)
      else { throw Absent() }
      record.fields.append(.init(key: ArchiveKey(name), value: new))
      return nil
    }
    let rest = steps.dropFirst(count)
    guard rest.isEmpty else { return try edit(&record.fields[index].value, rest, replace) }
    if let new = try replace(record.fields[index].value) {
      record.fields[index].value = new
    } else {
      record.fields.remove(at: index)
    }
    return nil
  }

  /// A new key of the same kind as the other keys of a dictionary.
  private static func newKey(
    _ step: ValuePath.Step, besides entries: DynamicEntries
  ) throws -> DynamicValue? {
    switch (step, entries.first?.key) {
    case (.name(let name), .string?), (.quoted(let name), .string?), (.name(let name), nil),
      (.quoted(let name), nil):
      .string(name)
    case (.index(let index), .signed(_, let width)?): .signed(Int64(index), bitWidth: width)
    default: nil
    }
  }
}
