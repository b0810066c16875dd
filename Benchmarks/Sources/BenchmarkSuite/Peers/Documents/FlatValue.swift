#if Peers
  /// A value that can be a field of a table, or an element of a vector.
  protocol FlatValue {
    /// True when a table or vector contains the value itself, not a reference to it.
    static var liesInPlace: Bool { get }
    /// Writes the target of a field's reference; zero refers to nothing.
    func flatReference(in builder: FlatBuilder) -> UInt32
    /// Writes the target of an element's reference.
    func flatElementReference(in builder: FlatBuilder) -> UInt32
    /// Adds a value that is stored in place; a default value is left out unless `always` is set.
    func addFlat(to builder: FlatBuilder, field: UInt16, always: Bool)
    /// Reads a field; a nil place means that it was left out.
    init(flatField place: FlatPlace?) throws
    init(flatElement place: FlatPlace) throws
    static func flatElements(_ elements: [Self], in builder: FlatBuilder) -> UInt32
    static func flatElements(at place: FlatPlace) throws -> [Self]
  }

  /// The defaults for values that are stored by reference.
  extension FlatValue {
    static var liesInPlace: Bool { false }
    func addFlat(to builder: FlatBuilder, field: UInt16, always: Bool) {}
    func flatElementReference(in builder: FlatBuilder) -> UInt32 { flatReference(in: builder) }

    init(flatElement place: FlatPlace) throws { try self.init(flatField: place) }

    static func flatElements(_ elements: [Self], in builder: FlatBuilder) -> UInt32 {
      for element in elements { builder.keep(element.flatElementReference(in: builder)) }
      return builder.references(count: elements.count)
    }

    static func flatElements(at place: FlatPlace) throws -> [Self] {
      try (0..<place.vectorCount).map { index in
        try Self(flatElement: place.element(index, stride: 4))
      }
    }
  }

  /// A number or a struct, whose memory layout is that of a buffer.
  protocol FlatInPlace: FlatValue, BitwiseCopyable {}

  extension FlatInPlace {
    static var liesInPlace: Bool { true }
    func flatReference(in builder: FlatBuilder) -> UInt32 { 0 }

    static func flatElements(_ elements: [Self], in builder: FlatBuilder) -> UInt32 {
      builder.elements(elements)
    }

    static func flatElements(at place: FlatPlace) throws -> [Self] { place.elements() }
  }

  extension Int8: FlatInPlace {}
  extension Int16: FlatInPlace {}
  extension Int32: FlatInPlace {}
  extension Int64: FlatInPlace {}
  extension UInt8: FlatInPlace {}
  extension UInt16: FlatInPlace {}
  extension UInt32: FlatInPlace {}
  extension UInt64: FlatInPlace {}

  extension FixedWidthInteger where Self: FlatInPlace {
    init(flatField place: FlatPlace?) { self = place.map { $0.load(as: Self.self) } ?? 0 }

    func addFlat(to builder: FlatBuilder, field: UInt16, always: Bool) {
      switch Self.bitWidth {
      case 8: builder.add(UInt8(truncatingIfNeeded: self), field, always: always)
      case 16: builder.add(UInt16(truncatingIfNeeded: self), field, always: always)
      case 32: builder.add(UInt32(truncatingIfNeeded: self), field, always: always)
      default: builder.add(UInt64(truncatingIfNeeded: self), field, always: always)
      }
    }
  }

  extension Float: FlatInPlace {
    init(flatField place: FlatPlace?) { self = place.map { $0.load(as: Self.self) } ?? 0 }
    func addFlat(to builder: FlatBuilder, field: UInt16, always: Bool) {
      builder.add(bitPattern, field, always: always)
    }
  }

  extension Double: FlatInPlace {
    init(flatField place: FlatPlace?) { self = place.map { $0.load(as: Self.self) } ?? 0 }
    func addFlat(to builder: FlatBuilder, field: UInt16, always: Bool) {
      builder.add(bitPattern, field, always: always)
    }
  }

  extension Bool: FlatInPlace {
    init(flatField place: FlatPlace?) { self = UInt8(flatField: place) != 0 }
    func addFlat(to builder: FlatBuilder, field: UInt16, always: Bool) {
      builder.add(self ? 1 : 0 as UInt8, field, always: always)
    }
  }

  extension String {
    func flatReference(in builder: FlatBuilder) -> UInt32 { builder.text(self) }
    init(flatField place: FlatPlace?) throws { self = try place?.text() ?? "" }
  }

  extension Optional: FlatValue where Wrapped: DocumentValue {
    static var liesInPlace: Bool { Wrapped.liesInPlace }
    func flatReference(in builder: FlatBuilder) -> UInt32 {
      self?.flatReference(in: builder) ?? 0
    }
    func addFlat(to builder: FlatBuilder, field: UInt16, always: Bool) {
      self?.addFlat(to: builder, field: field, always: true)
    }
    init(flatField place: FlatPlace?) throws { self = try place.map { try Wrapped(flatField: $0) } }
  }

  extension Array: FlatValue where Element: DocumentValue {
    func flatReference(in builder: FlatBuilder) -> UInt32 {
      Element.flatElements(self, in: builder)
    }

    init(flatField place: FlatPlace?) throws {
      self = try place.map { try Element.flatElements(at: $0) } ?? []
    }

    /// Vectors cannot contain vectors, so a nested array is the only field of a table.
    func flatElementReference(in builder: FlatBuilder) -> UInt32 {
      FlatTable.write(in: builder) { field in
        var array = self
        field("elements", &array)
      }
    }

    init(flatElement place: FlatPlace) throws { try self.init(flatField: place.table.field(0)) }
  }

  extension Dictionary: FlatValue where Key: DocumentValue, Value: DocumentValue {
    func flatReference(in builder: FlatBuilder) -> UInt32 {
      for (key, value) in self {
        let table = FlatTable.write(in: builder) { field in
          var (key, value) = (key, value)
          field("key", &key)
          field("value", &value)
        }
        builder.keep(table)
      }
      return builder.references(count: count)
    }

    init(flatField place: FlatPlace?) throws {
      let count = place?.vectorCount ?? 0
      self.init(minimumCapacity: count)
      for index in 0..<count {
        guard let table = place?.element(index, stride: 4).table else { continue }
        self[try Key(flatField: table.field(0))] = try Value(flatField: table.field(1))
      }
    }
  }

  extension DocumentEnumeration {
    static var liesInPlace: Bool { true }
    func flatReference(in builder: FlatBuilder) -> UInt32 { 0 }
    func addFlat(to builder: FlatBuilder, field: UInt16, always: Bool) {
      rawValue.addFlat(to: builder, field: field, always: always)
    }

    init(flatField place: FlatPlace?) throws {
      guard let value = Self(rawValue: try RawValue(flatField: place)) else {
        throw DocumentFailure.type
      }
      self = value
    }
  }

  extension DocumentRecord {
    func flatReference(in builder: FlatBuilder) -> UInt32 {
      FlatTable.write(in: builder) { field in
        var record = self
        record.visit(&field)
      }
    }

    init(flatField place: FlatPlace?) throws {
      guard let place else { throw DocumentFailure.absent }
      try self.init(table: place.table)
    }

    init(table: FlatTable) throws {
      self.init()
      var reader = FlatTableReader(table: table)
      try visit(&reader)
    }
  }

  /// A record of numbers only, which FlatBuffers stores as a struct.
  protocol DocumentStruct: DocumentRecord, FlatInPlace {}

  extension DocumentStruct {
    func flatReference(in builder: FlatBuilder) -> UInt32 { 0 }

    func addFlat(to builder: FlatBuilder, field: UInt16, always: Bool) {
      builder.add(structure: self, field)
    }

    init(flatField place: FlatPlace?) throws {
      guard let place else { throw DocumentFailure.absent }
      self = place.load(as: Self.self)
    }
  }

  extension FlatTable {
    /// Writes a table of the fields that `visit` passes.
    ///
    /// It runs twice, since the targets of references must exist before the table starts.
    static func write(
      in builder: FlatBuilder, _ visit: (inout FlatTableWriter) -> Void
    ) -> UInt32 {
      let kept = builder.keptCount
      var writer = FlatTableWriter(builder: builder, kept: kept)
      visit(&writer)
      let start = builder.beginTable()
      writer.isKeeping = false
      visit(&writer)
      return builder.endTable(start, keptBefore: kept)
    }
  }

  /// First writes the targets of a record's references, then adds the fields.
  struct FlatTableWriter: FieldVisitor {
    let builder: FlatBuilder
    var isKeeping = true
    private var field: UInt16 = 0
    private var kept: Int

    init(builder: FlatBuilder, kept: Int) {
      (self.builder, self.kept) = (builder, kept)
    }

    mutating func callAsFunction<Value: DocumentValue>(_ key: StaticString, _ value: inout Value) {
      if isKeeping {
        if !Value.liesInPlace { builder.keep(value.flatReference(in: builder)) }
        return
      }
      if Value.liesInPlace {
        value.addFlat(to: builder, field: field, always: false)
      } else {
        builder.add(kept: kept, field)
        kept += 1
      }
      field += 1
    }
  }

  private struct FlatTableReader: FieldVisitor {
    let table: FlatTable
    var field: UInt16 = 0

    mutating func callAsFunction<Value: DocumentValue>(
      _ key: StaticString, _ value: inout Value
    ) throws {
      value = try Value(flatField: table.field(field))
      field += 1
    }
  }
#endif
