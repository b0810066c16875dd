extension ReservedValues {
  /// Reads the archive's own record, whose values are of the kinds that Spec/archive.md, 4.6, lists.
  init(_ storage: ArchiveStorage) throws(ArchiveError) {
    let record = try ObjectDecoder(storage, record: 0)
    guard record.typeName.isEmpty else {
      throw ArchiveError(
        .damaged, "the first record is not the archive's own", offset: record.offset)
    }
    self.init(
      bundleVersion: try record.reservedValue(.bundleVersion),
      userInterfaceIdiom: try record.reservedValue(.userInterfaceIdiom),
      timestamp: try record.reservedValue(.timestamp),
      systemVersion: try record.reservedValue(.systemVersion))
  }
}

extension ObjectDecoder {
  /// Reads a value of the archive's own record, nil when it is absent.
  ///
  /// It has to be stored exactly as the type writes it: no nil, and no integer of another width.
  fileprivate func reservedValue<T: ArchiveValue>(_ key: ArchiveKey) throws(ArchiveError) -> T? {
    guard let slot = slot(of: key) else { return nil }
    let value = value(of: slot)
    guard value.tag == T.archiveTag, !value.isNil else {
      throw ArchiveError(
        .damaged,
        "the reserved value \(key) is stored as \(value.isNil ? .null : value.tag) and not as "
          + "\(T.archiveTag)", offset: value.offset)
    }
    return try decode(T.self, forKey: key)
  }
}
