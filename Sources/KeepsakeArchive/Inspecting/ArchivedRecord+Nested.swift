// Records nested in the values of a record, at any depth (Spec/archive.md, 5.4).

extension DynamicRecord {
  /// Edits this record and those nested in it that are of one type.
  ///
  /// Inner records come before those that they are nested in, so none is edited twice.
  ///
  /// - Parameters:
  ///   - typeName: The name of the type.
  ///   - body: Changes one record.
  /// - Returns: The number of records of the type.
  /// - Throws: The error of `body`; the record may then be changed in part.
  @discardableResult
  public mutating func updateRecords(
    ofType typeName: String, _ body: (inout DynamicRecord) throws -> Void
  ) throws -> Int {
    var count = 0
    try updateFields(where: { $0.holdsRecord(ofType: typeName) }) {
      count += try $0.updateRecords(ofType: typeName, body)
    }
    guard self.typeName.hasSameBytes(as: typeName) else { return count }
    try body(&self)
    return count + 1
  }

  /// Whether a record that has a type name is nested in this one, at any depth.
  package var holdsTypedRecords: Bool {
    let span = fields.span
    for index in span.indices where span[index].value.holdsTypedRecords { return true }
    return false
  }
}

extension DynamicValue {
  fileprivate var holdsTypedRecords: Bool { contains { !($0.nestedTypeName ?? "").isEmpty } }

  fileprivate func holdsRecord(ofType typeName: String) -> Bool {
    contains { $0.nestedTypeName?.hasSameBytes(as: typeName) ?? false }
  }

  /// The name of the type of a record or an enumeration.
  private var nestedTypeName: String? {
    switch self {
    case .record(let record), .enumeration(_, let record): record.typeName
    default: nil
    }
  }

  fileprivate mutating func updateRecords(
    ofType typeName: String, _ body: (inout DynamicRecord) throws -> Void
  ) throws -> Int {
    var count = 0
    try updateNested(where: { $0.holdsRecord(ofType: typeName) }) {
      count += try $0.updateRecords(ofType: typeName, body)
    } record: {
      count += try $0.updateRecords(ofType: typeName, body)
    }
    return count
  }
}
