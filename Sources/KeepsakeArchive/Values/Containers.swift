extension Optional: ArchiveValue where Wrapped: ArchiveValue {
  /// The tag of the wrapped type.
  public static var archiveTag: ArchiveTag { Wrapped.archiveTag }

  /// Writes the value, or a nil that takes one bit.
  ///
  /// Optionals of optionals are stored as one optional: every nil reads back as the outer nil.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    switch self {
    case .some(let value): value.encode(to: &encoder, at: place.nullable)
    case .none: encoder.encodeNil(tag: Wrapped.archiveTag, at: place)
    }
  }

  /// Reads a value or a nil.
  ///
  /// - Parameter decoder: The stored value.
  /// - Throws: ``ArchiveError`` when a value is stored that is none of the wrapped type.
  @inlinable
  public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    if decoder.isNil {
      self = nil
    } else {
      self = .some(try Wrapped(from: decoder))
    }
  }
}

extension Array: ArchiveValue where Element: ArchiveValue {
  /// The tag of an array.
  public static var archiveTag: ArchiveTag { .array }

  /// Writes the elements in their order.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  @inlinable
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    if encoder.enterDepth(at: place) {
      Element.encodeElements(self, to: &encoder, at: place)
    } else {
      encoder.encodeNil(tag: .array, at: place)
    }
  }

  /// Reads the elements in their order.
  ///
  /// - Parameter decoder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is not an array of such elements.
  @inlinable
  public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    self = try Element.decodeElements(from: decoder)
  }
}

extension Dictionary: ArchiveValue where Key == String, Value: ArchiveValue {
  /// The tag of a dictionary.
  public static var archiveTag: ArchiveTag { .dictionary }

  /// Writes the values in the order of their keys' UTF-8 bytes, so that equal dictionaries give
  /// equal archives.
  ///
  /// - Parameters:
  ///   - encoder: The coder of the object that the value is part of.
  ///   - place: Where the value belongs.
  public func encode(to encoder: inout ObjectEncoder, at place: ArchivePlace) {
    let sorted = self.sorted { $0.key.bytesPrecede($1.key) }
    encoder.encodeDictionary(
      count: sorted.count, at: place,
      keys: { coder in
        for entry in sorted { entry.key.encode(to: &coder, at: .element) }
      },
      values: { coder in
        for entry in sorted { entry.value.encode(to: &coder, at: .element) }
      })
  }

  /// Reads the values with their keys.
  ///
  /// - Parameter decoder: The stored value.
  /// - Throws: ``ArchiveError`` when what is stored is not a dictionary of such values, or has keys
  ///   that Swift holds to be equal although their bytes differ.
  public init(from decoder: borrowing ValueDecoder) throws(ArchiveError) {
    let entries = try decoder.dictionaryEntries()
    var result: [String: Value] = [:]
    result.reserveCapacity(entries.keys.initialCapacity)
    for index in 0..<entries.keys.count {
      let key = try String(from: decoder.element(index, of: entries.keys))
      do throws(ArchiveError) {
        let value = try Value(from: decoder.element(index, of: entries.values))
        guard result.updateValue(value, forKey: key) == nil else {
          throw ArchiveError(
            .duplicateKey, "two keys of a dictionary differ only in their Unicode spelling",
            offset: decoder.offset)
        }
      } catch {
        throw error.under(key)
      }
    }
    self = result
  }
}
