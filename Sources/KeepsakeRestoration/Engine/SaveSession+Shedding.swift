import KeepsakeArchive

extension SaveSession {
  /// Brings an archive within its budget: objects lose their own state, and keep their places.
  ///
  /// What goes first is decided by the archive alone: every object that is too large by itself, then
  /// the deepest objects, the last of equally deep ones first. No object is asked to encode again.
  /// See Spec/restoration.md, section 7.
  func shed(
    _ bytes: [UInt8], reserved: ReservedValues, budget: RestorationBudget
  ) throws -> [UInt8] {
    // No record is larger than its archive.
    if bytes.count <= min(budget.objectByteCount, budget.totalByteCount) { return bytes }
    let archive = try Archive(bytes)
    var excess = bytes.count - budget.totalByteCount
    var shed: Set<Int> = []
    var candidates: [(index: Int, byteCount: Int)] = []
    for (index, item) in items.enumerated() where !item.isStateless {
      let byteCount = try archive.object(Self.id(ofItemAt: index)).byteCount
      if byteCount > budget.objectByteCount {
        shed.insert(index)
        excess -= byteCount
        tellShed(index, "its own state has \(byteCount) bytes of \(budget.objectByteCount)")
      } else {
        candidates.append((index, byteCount))
      }
    }
    if excess > 0 {
      candidates.sort { first, second in
        let depths = (items[first.index].path.count, items[second.index].path.count)
        return depths.0 == depths.1 ? first.index > second.index : depths.0 > depths.1
      }
      for candidate in candidates where excess > 0 {
        shed.insert(candidate.index)
        excess -= candidate.byteCount
        tellShed(
          candidate.index,
          "the whole state has \(bytes.count) bytes of \(budget.totalByteCount)")
      }
    }
    let dropsOrphans = bytes.count > budget.totalByteCount && archive.objectCount > items.count + 2
    guard !shed.isEmpty || dropsOrphans else { return bytes }
    shed.forEach(markStateless)
    return try copy(
      archive, reserved: reserved, withoutStateOf: shed, keepsOrphans: !dropsOrphans)
  }

  private func tellShed(_ index: Int, _ reason: String) {
    let path = items[index].path
    report(
      .shed, at: path,
      "The state of \(path) was shed, because \(reason); save references to data in place of data.")
  }

  private func copy(
    _ archive: Archive, reserved: ReservedValues, withoutStateOf shed: Set<Int>,
    keepsOrphans: Bool
  ) throws -> [UInt8] {
    var writer = ArchiveWriter(reserved: reserved)
    var numbers = Array(1...archive.objectCount)
    // The application's record comes first and the summary last; orphans lie before the summary.
    if !keepsOrphans { numbers.removeSubrange(items.count + 1..<archive.objectCount - 1) }
    for (position, number) in numbers.enumerated() {
      let id = ArchiveObjectID(UInt32(clamping: number))
      let object = try archive.object(id)
      let template = try object.decodeIfPresent(String.self, forKey: .template)
      let isShed = shed.contains(number - 2)
      var fields = try RecordFields(from: object)
      fields.isStateless = fields.isStateless || isShed
      let record = try object.dynamicRecord()
      try writer.writeObject(
        ArchiveObjectID(UInt32(clamping: position + 1)), typeName: object.typeName,
        schemaVersion: object.schemaVersion, template: template
      ) { coder in
        if isShed {
          coder.withScope(RecordFields.scope) { fields.encode(with: &$0) }
        } else {
          coder.encodeFields(of: record)
        }
      }
    }
    return try writer.finish(root: archive.rootID)
  }
}
