// Dictionaries and sets (Spec/archive.md, 5.6 and 5.7): in the order of their encoded keys and
// members, so that equal ones give equal bytes.

/// Keys may be truth values, numbers, strings, bytes, dates, UUIDs, URLs, and types that stand for these; others make the
/// object fail to be written.
extension Dictionary: ArchiveValue, LibraryValue where Key: ArchiveValue, Value: ArchiveValue {
  @inlinable static var storedTag: ArchiveTag { .dictionary }

  @inlinable
  func write(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    let values = Array(self.values)
    coder.encodeDictionary(
      count: count, at: place,
      keys: { coder in for key in keys { key.encode(to: &coder, at: .element) } },
      value: { index, coder in values[index].encode(to: &coder, at: .element) })
  }

  @inlinable
  init(reading coder: borrowing ValueDecoder) throws(ArchiveError) {
    let entries = try coder.value.storedEntries()
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
          throw coder.equalKeys(
            entries.keys, try Self.firstIndex(of: key, in: entries.keys, coder), index,
            as: Key.self)
        }
      } catch {
        throw error.under("\(key)")
      }
    }
    self = result
  }

  /// The first index at which a key that was read is stored.
  @inlinable
  static func firstIndex(
    of key: Key, in keys: StoredElements, _ coder: borrowing ValueDecoder
  ) throws(ArchiveError) -> Int {
    var index = 0
    while try Key(from: coder.element(index, of: keys)) != key, index < keys.count - 1 {
      index += 1
    }
    return index
  }
}

extension ValueDecoder {
  /// The error for two different stored keys of a dictionary that the type considers equal.
  @inline(never)
  @usableFromInline
  func equalKeys<Key>(
    _ keys: StoredElements, _ first: Int, _ second: Int, as type: Key.Type
  ) -> ArchiveError {
    ArchiveError(
      .duplicateMember,
      "the keys \(name(ofKey: first, keys)) and \(name(ofKey: second, keys)) of a dictionary are the same "
        + "\(type), so that one of their values would be lost", offset: value.offset)
  }

  /// A key as text for messages.
  private func name(ofKey index: Int, _ keys: StoredElements) -> String {
    let key = element(index, of: keys)
    if let text = try? String(from: key) { return text.spelledOut }
    if let number = try? Int128(from: key) { return "\(number)" }
    if let number = try? Double(from: key) { return "\(number)" }
    return "number \(index)"
  }
}

/// Members may be what the keys of a dictionary may be. Those that the type considers equal are read as one
/// (Spec/archive.md, 5.7).
extension Set: ArchiveValue, LibraryValue where Element: ArchiveValue {
  @inlinable static var storedTag: ArchiveTag { .set }

  @inlinable
  func write(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encodeSet(count: count, at: place) { coder in
      for member in self { member.encode(to: &coder, at: .element) }
    }
  }

  @inlinable
  init(reading coder: borrowing ValueDecoder) throws(ArchiveError) {
    let members = try coder.value.storedMembers()
    var result: Set<Element> = []
    result.reserveCapacity(members.initialCapacity)
    for index in 0..<members.count {
      let member: Element
      do {
        member = try Element(from: coder.element(index, of: members))
      } catch {
        throw error.atElement(index)
      }
      result.insert(member)
    }
    self = result
  }
}
