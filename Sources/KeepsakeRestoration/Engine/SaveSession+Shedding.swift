import KeepsakeArchive

extension SaveSession {
  /// Brings an archive within its budget: objects lose their own state, and keep their places.
  ///
  /// What goes first is decided by the archive alone: every object that is too large by itself, then
  /// the deepest objects, the last of equally deep ones first. No object is asked to encode again.
  /// See Spec/restoration.md, section 7.
  func shed(
    _ bytes: [UInt8], reserved: ReservedValues, budget: RestorationBudget, liveCount: Int
  ) throws -> [UInt8] {
    var excess = bytes.count - budget.totalByteCount
    var shed: Set<Int> = []
    var candidates: [Int] = []
    for row in 0..<liveCount where !rows.index.flags(row).contains(.stateless) {
      if Int(rows.byteCounts[row]) > budget.objectByteCount {
        shed.insert(row)
        excess -= Int(rows.byteCounts[row])
        tellShed(
          row, "its own state has \(Int(rows.byteCounts[row])) bytes of \(budget.objectByteCount)")
      } else if excess > 0 {
        candidates.append(row)
      }
    }
    if excess > 0 {
      candidates.sort { first, second in
        let depths = (rows.depth(first), rows.depth(second))
        return depths.0 == depths.1 ? first > second : depths.0 > depths.1
      }
      for row in candidates where excess > 0 {
        shed.insert(row)
        excess -= Int(rows.byteCounts[row])
        tellShed(row, "the whole state has \(bytes.count) bytes of \(budget.totalByteCount)")
      }
    }
    let dropsOrphans = bytes.count > budget.totalByteCount && rows.index.count > liveCount
    guard !shed.isEmpty || dropsOrphans else { return bytes }
    shed.forEach(markStateless)
    if dropsOrphans { rows.index.truncate(to: liveCount) }
    return try copy(try Archive(bytes), reserved: reserved, withoutStateOf: shed)
  }

  private func tellShed(_ row: Int, _ reason: String) {
    let path = rows.index.path(row)
    rows.report(
      .shed, at: path,
      "The state of \(path) was shed, because \(reason); save references to data in place of data.")
  }

  private func copy(
    _ archive: Archive, reserved: ReservedValues, withoutStateOf shed: Set<Int>
  ) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: reserved)
    for row in -1..<rows.index.count {
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
    return try writeIndex(into: writer)
  }
}
