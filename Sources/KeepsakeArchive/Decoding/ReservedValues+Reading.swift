extension ReservedValues {
  /// Reads the archive's own record (Spec/archive.md, 4.6).
  init(_ storage: ArchiveStorage) throws(ArchiveError) {
    let record = try ObjectDecoder(storage, record: 0)
    guard record.typeName.isEmpty else {
      throw ArchiveError(
        .damaged, "the first record is not the archive's own", offset: record.offset)
    }
    self.init(
      bundleVersion: try record.decodeIfPresent(forKey: .bundleVersion),
      userInterfaceIdiom: try record.decodeIfPresent(forKey: .userInterfaceIdiom),
      timestamp: try record.decodeIfPresent(forKey: .timestamp),
      systemVersion: try record.decodeIfPresent(forKey: .systemVersion))
  }
}
