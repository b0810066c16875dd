#if Peers
  /// A record whose fields are named once, for all formats that store them by name or by number.
  protocol DocumentRecord: DocumentValue {
    /// Makes a record to read into.
    init()
    /// Passes each field with its name, always in the same order.
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure)
  }

  /// Reads or changes the fields of a record, one after the other.
  protocol FieldVisitor {
    associatedtype Failure: Error
    mutating func callAsFunction<Value: DocumentValue>(
      _ key: StaticString, _ value: inout Value
    ) throws(Failure)
  }

  extension DocumentRecord {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: Self.fieldCount)
      var record = self
      record.visit(&writer)
    }

    init(from node: some DocumentNode) throws {
      self.init()
      var reader = NodeReader(node)
      try visit(&reader)
    }

    private static var fieldCount: Int {
      var (counter, record) = (FieldCounter(), Self())
      record.visit(&counter)
      return counter.count
    }
  }

  private struct FieldCounter: FieldVisitor {
    var count = 0

    mutating func callAsFunction<Value: DocumentValue>(_ key: StaticString, _ value: inout Value) {
      count += 1
    }
  }

  /// Reads the entries of a map.
  ///
  /// They are expected in the order in which they are requested, and also found in any other order.
  private struct NodeReader<Node: DocumentNode>: FieldVisitor {
    private let node: Node
    private let count: Int
    private var index = 0

    init(_ node: Node) {
      self.node = node
      count = node.mapCount ?? 0
    }

    mutating func callAsFunction<Value: DocumentValue>(
      _ key: StaticString, _ value: inout Value
    ) throws {
      for _ in 0..<count {
        let place = index
        index = index + 1 == count ? 0 : index + 1
        if node.key(place).isText(key) {
          value = try Value(from: node.value(place))
          return
        }
      }
      throw DocumentFailure.absent
    }
  }
#endif
