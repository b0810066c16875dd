package import KeepsakeArchive

extension ObjectDecoder {
  /// The numbers of an array that is borrowed as a span, copied out of it.
  package func borrowedNumbers<Number: ArchiveScalar>(
    of type: Number.Type = Number.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> [Number] {
    do {
      return try withSpan(of: type, forKey: key) { span in span.indices.map { span[$0] } }
    } catch let error as ArchiveError {
      throw error
    } catch {
      throw ArchiveError(.invalidValue, "\(error)")
    }
  }
}
