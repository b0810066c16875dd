/// A type that is read from an archive and never written: for programs that look at a few keys of
/// records which others write.
///
/// ```swift
/// struct Headline: ArchiveDecodableRecord {
///   var title: String
///   init(from coder: borrowing ObjectDecoder)
///     throws(ArchiveError)
///   {
///     title = try coder.decode(forKey: "title")
///   }
/// }
/// let headlines = try archive.decodeObjects(Headline.self)
/// ```
///
/// Every ``ArchiveRecord`` is one. Keys that the initialiser does not ask for are not looked at.
public protocol ArchiveDecodableRecord {
  /// Reads the parts.
  ///
  /// - Parameter coder: A coder of this value's own keys.
  /// - Throws: ``ArchiveError`` when a part is absent or is not what was expected.
  init(from coder: borrowing ObjectDecoder) throws(ArchiveError)
}

extension ObjectDecoder {
  /// Reads the value under a key, or takes another one where there is none.
  ///
  /// - Parameters:
  ///   - type: The type to read.
  ///   - key: The key.
  ///   - fallback: The value when the key is absent or a nil is stored under it.
  /// - Returns: The value.
  /// - Throws: ``ArchiveError`` when a value is stored that is none of the type.
  @inlinable
  public func decode<T: ArchiveValue>(
    _ type: T.Type = T.self, forKey key: ArchiveKey, default fallback: @autoclosure () -> T
  ) throws(ArchiveError) -> T {
    try decodeIfPresent(type, forKey: key) ?? fallback()
  }

  /// Reads a nested record as a type that is never written.
  ///
  /// - Parameters:
  ///   - type: The type to read.
  ///   - key: The key.
  /// - Returns: The value.
  /// - Throws: ``ArchiveError`` when the key is absent, no record is stored, or a part of it is not as
  ///   expected.
  public func decodeRecord<Record: ArchiveDecodableRecord>(
    _ type: Record.Type = Record.self, forKey key: ArchiveKey
  ) throws(ArchiveError) -> Record {
    do {
      return try Record(from: storedValue(under: key).lentRecord())
    } catch {
      throw located(error, key)
    }
  }

  /// Opens the records of a stored array one after the other and passes each to a closure.
  ///
  /// No array of values is made, and of each record only what `body` asks for is read.
  ///
  /// - Parameters:
  ///   - key: The key of the array.
  ///   - body: Reads a record; the decoder is borrowed for the length of the call.
  /// - Throws: ``ArchiveError`` when the key is absent or no array of records is stored, a nil among
  ///   them included; and what `body` throws, an ``ArchiveError`` with the index of the record.
  /// - Complexity: In proportion to the number of records, beside what `body` does.
  public func forEachRecord(
    forKey key: ArchiveKey, _ body: (borrowing ObjectDecoder) throws -> Void
  ) throws {
    do {
      let array = try storedValue(under: key)
      let elements = try array.elements()
      for index in 0..<elements.count {
        do {
          try body(array.element(index, of: elements).lentRecord())
        } catch let error as ArchiveError {
          throw error.atElement(index)
        }
      }
    } catch let error as ArchiveError {
      throw located(error, key)
    }
  }

  /// The value under a key, or a reserved value of the archive.
  private func storedValue(under key: ArchiveKey) throws(ArchiveError) -> ValueDecoder {
    if let slot = presentSlot(of: key) { return value(of: slot) }
    return try reservedValue(forKey: key)
  }
}
