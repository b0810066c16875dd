package import KeepsakeArchive

/// A nested record that a closure writes, and that is never read.
package struct WrittenRecord: ArchiveRecord {
  private let body: (inout ObjectEncoder) -> Void

  package init(_ body: @escaping (inout ObjectEncoder) -> Void) {
    self.body = body
  }

  package func encode(to coder: inout ObjectEncoder) { body(&coder) }

  package init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    throw ArchiveError(.invalidValue, "a record that is only written")
  }
}
