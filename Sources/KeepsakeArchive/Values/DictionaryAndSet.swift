// Dictionaries and sets (Spec/archive.md, 5.6 and 5.7): in the order of their encoded keys and
// members, so that equal ones give equal bytes.

extension Dictionary: ArchiveValue where Key: ArchiveValue, Value: ArchiveValue {
  /// The tag of a dictionary.
  @inlinable public static var archiveTag: ArchiveTag { .dictionary }

  /// Writes the values in the order of their encoded keys.
  ///
  /// Keys may be truth values, numbers, strings, bytes, dates, UUIDs, URLs, and types that stand
  /// for these; others make the object fail to be written.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    let values = Array(self.values)
    coder.encodeDictionary(
      count: count, at: place,
      keys: { coder in for key in keys { key.encode(to: &coder, at: .element) } },
      value: { index, coder in values[index].encode(to: &coder, at: .element) })
  }

  /// Reads the values with their keys.
  ///
  /// - Parameter coder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is not a dictionary of such values, or has keys
  ///   that Swift holds to be equal although their bytes differ.
  @inlinable
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    let entries = try coder.dictionaryEntries()
    var result: [Key: Value] = [:]
    result.reserveCapacity(entries.keys.initialCapacity)
    for index in 0..<entries.keys.count {
      let key: Key
      do {
        key = try Key(from: coder.element(index, of: entries.keys))
      } catch {
        throw error.atElement(index)
      }
      do throws(ArchiveError) {
        let value = try Value(from: coder.element(index, of: entries.values))
        guard result.updateValue(value, forKey: key) == nil else {
          throw ArchiveError(
            .duplicateMember, "two keys of a dictionary are equal although their bytes differ",
            offset: coder.offset)
        }
      } catch {
        throw error.under("\(key)")
      }
    }
    self = result
  }
}

extension Set: ArchiveValue where Element: ArchiveValue {
  /// The tag of a set.
  @inlinable public static var archiveTag: ArchiveTag { .set }

  /// Writes the members in the order of their encoded bytes.
  ///
  /// Members may be what the keys of a dictionary may be.
  ///
  /// - Parameters:
  ///   - coder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeSet(count: count, at: place) { coder in
      for member in self { member.encode(to: &coder, at: .element) }
    }
  }

  /// Reads the members.
  ///
  /// - Parameter coder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is not a set of such members, or has members
  ///   that Swift holds to be equal although their bytes differ.
  @inlinable
  public init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    let members = try coder.members()
    var result: Set<Element> = []
    result.reserveCapacity(members.initialCapacity)
    for index in 0..<members.count {
      let member: Element
      do {
        member = try Element(from: coder.element(index, of: members))
      } catch {
        throw error.atElement(index)
      }
      guard result.insert(member).inserted else {
        throw ArchiveError(
          .duplicateMember, "two members of a set are equal although their bytes differ",
          offset: coder.offset
        ).atElement(index)
      }
    }
    self = result
  }
}
