#if Peers
  /// Writes a value as maps, arrays, texts and numbers, for formats without a schema.
  protocol DocumentWriter: FieldVisitor where Failure == Never {
    mutating func beginMap(count: Int)
    mutating func beginArray(count: Int)
    mutating func write(_ value: Int64)
    mutating func write(_ value: UInt64)
    mutating func write(_ value: Float)
    mutating func write(_ value: Double)
    mutating func write(_ value: Bool)
    mutating func write(_ value: String)
    mutating func write(_ value: StaticString)
    mutating func writeNil()
  }

  extension DocumentWriter {
    /// A key and its value.
    mutating func callAsFunction<Value: DocumentValue>(_ key: StaticString, _ value: inout Value) {
      write(key)
      value.write(to: &self)
    }
  }

  /// A node of a document: a map, an array, a text or a number.
  protocol DocumentNode {
    var isNil: Bool { get }
    /// The elements of an array, or the entries of a map; nil for anything else.
    var arrayCount: Int? { get }
    var mapCount: Int? { get }
    func element(_ index: Int) -> Self
    func key(_ index: Int) -> Self
    func value(_ index: Int) -> Self
    func isText(_ text: StaticString) -> Bool
    func signed() throws -> Int64
    func unsigned() throws -> UInt64
    func float() throws -> Float
    func double() throws -> Double
    func bool() throws -> Bool
    func text() throws -> String
  }

  /// The error of a value that cannot be read.
  enum DocumentFailure: Error {
    case damaged, type, absent
  }

  /// A value that can be written to a document and read from one.
  protocol DocumentValue: FlatValue {
    func write(to writer: inout some DocumentWriter)
    init(from node: some DocumentNode) throws
  }

  extension FixedWidthInteger where Self: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      if Self.isSigned {
        writer.write(Int64(truncatingIfNeeded: self))
      } else {
        writer.write(UInt64(truncatingIfNeeded: self))
      }
    }

    init(from node: some DocumentNode) throws {
      let value =
        Self.isSigned ? Self(exactly: try node.signed()) : Self(exactly: try node.unsigned())
      guard let value else { throw DocumentFailure.type }
      self = value
    }
  }

  extension Int8: DocumentValue {}
  extension Int16: DocumentValue {}
  extension Int32: DocumentValue {}
  extension Int64: DocumentValue {}
  extension UInt8: DocumentValue {}
  extension UInt16: DocumentValue {}
  extension UInt32: DocumentValue {}
  extension UInt64: DocumentValue {}

  extension Float: DocumentValue {
    func write(to writer: inout some DocumentWriter) { writer.write(self) }
    init(from node: some DocumentNode) throws { self = try node.float() }
  }

  extension Double: DocumentValue {
    func write(to writer: inout some DocumentWriter) { writer.write(self) }
    init(from node: some DocumentNode) throws { self = try node.double() }
  }

  extension Bool: DocumentValue {
    func write(to writer: inout some DocumentWriter) { writer.write(self) }
    init(from node: some DocumentNode) throws { self = try node.bool() }
  }

  extension String: DocumentValue {
    func write(to writer: inout some DocumentWriter) { writer.write(self) }
    init(from node: some DocumentNode) throws { self = try node.text() }
  }

  extension Optional: DocumentValue where Wrapped: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      if let self { self.write(to: &writer) } else { writer.writeNil() }
    }

    init(from node: some DocumentNode) throws { self = node.isNil ? nil : try Wrapped(from: node) }
  }

  extension Array: DocumentValue where Element: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginArray(count: count)
      for element in self { element.write(to: &writer) }
    }

    init(from node: some DocumentNode) throws {
      guard let count = node.arrayCount else { throw DocumentFailure.type }
      self = try (0..<count).map { try Element(from: node.element($0)) }
    }
  }

  extension Dictionary: DocumentValue where Key: DocumentValue, Value: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: count)
      for (key, value) in self {
        key.write(to: &writer)
        value.write(to: &writer)
      }
    }

    init(from node: some DocumentNode) throws {
      guard let count = node.mapCount else { throw DocumentFailure.type }
      self.init(minimumCapacity: count)
      for index in 0..<count {
        self[try Key(from: node.key(index))] = try Value(from: node.value(index))
      }
    }
  }

  /// An enumeration that is stored as its number.
  protocol DocumentEnumeration: DocumentValue, RawRepresentable where RawValue: DocumentValue {}

  extension DocumentEnumeration {
    func write(to writer: inout some DocumentWriter) { rawValue.write(to: &writer) }

    init(from node: some DocumentNode) throws {
      guard let value = Self(rawValue: try RawValue(from: node)) else { throw DocumentFailure.type }
      self = value
    }
  }
#endif
