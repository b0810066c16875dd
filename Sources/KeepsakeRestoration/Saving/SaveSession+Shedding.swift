import KeepsakeArchive
import KeepsakeDocuments

extension SaveSession {
  /// Brings an archive within its budget: objects lose their own state, but keep their places.
  ///
  /// First, every object over the limit for one object loses its state. Then the deepest objects do, and among
  /// equally deep objects the last one comes first. So the order depends only on the archive. No object is encoded
  /// again. See Spec/restoration.md, section 7.
  func shed(
    _ bytes: [UInt8], _ index: inout StateIndex, reserved: ReservedValues,
    budget: RestorationBudget, liveCount: Int
  ) throws -> [UInt8] {
    var excess = bytes.count - budget.totalByteCount
    var shed: Set<Int> = []
    var candidates: [Int] = []
    for row in 0..<liveCount where !index.rows[row].flags.contains(.stateless) {
      let byteCount = index.rows[row].byteCount
      if byteCount > budget.objectByteCount {
        shed.insert(row)
        excess -= byteCount
        reportShed(
          index.rows.path(row),
          "its own state has \(byteCount) bytes, and the limit is \(budget.objectByteCount)")
      } else if excess > 0 {
        candidates.append(row)
      }
    }
    if excess > 0 {
      candidates.sort {
        (index.rows[$0].depth, $0) > (index.rows[$1].depth, $1)
      }
      for row in candidates where excess > 0 {
        shed.insert(row)
        excess -= index.rows[row].byteCount
        reportShed(
          index.rows.path(row),
          "the whole state has \(bytes.count) bytes, and the limit is \(budget.totalByteCount)")
      }
    }
    let dropsUnclaimed = bytes.count > budget.totalByteCount && index.rows.count > liveCount
    guard !shed.isEmpty || dropsUnclaimed else { return bytes }
    for row in shed { index.rows[row].flags.insert(.stateless) }
    if dropsUnclaimed { index.rows.removeLast(index.rows.count - liveCount) }
    return try copy(try Archive(bytes), index, reserved: reserved, withoutStateOf: shed)
  }

  private func reportShed(_ path: RestorationPath, _ reason: String) {
    rows.report(
      .shed, at: path,
      "The state of \(path) was shed, because \(reason); save references to data in place of data.")
  }

  private func copy(
    _ archive: Archive, _ index: StateIndex, reserved: ReservedValues, withoutStateOf shed: Set<Int>
  ) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: reserved)
    for row in -1..<index.rows.count {
      let id = Self.id(ofRow: row)
      let object = try archive.object(id)
      let template = try object.decodeIfPresent(String.self, forKey: .template)
      let record = shed.contains(row) ? nil : try object.dynamicRecord()
      try writer.writeObject(
        id, typeName: object.typeName, schemaVersion: object.schemaVersion, template: template
      ) { coder in
        if let record { coder.encodeFields(of: record) }
      }
    }
    return try Self.write(index, into: writer)
  }
}

/// The limits on the size of a saved state, in bytes of its archive.
///
/// An object beyond the limit loses its own state, but keeps its place: a save never fails because of size.
public struct RestorationBudget: Hashable, Sendable {
  /// The maximum number of bytes that one object may write.
  public var objectByteCount: Int
  /// The maximum size of the whole archive in bytes; the places and names are always kept, even beyond it.
  public var totalByteCount: Int

  /// Creates a budget: by default 1 MiB for one object, and 64 MiB for the whole archive.
  public init(objectByteCount: Int = 1 << 20, totalByteCount: Int = 64 << 20) {
    self.objectByteCount = objectByteCount
    self.totalByteCount = totalByteCount
  }
}
