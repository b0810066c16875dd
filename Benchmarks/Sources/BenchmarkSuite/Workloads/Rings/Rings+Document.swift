#if Peers
  extension Rings.Point: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 2)
      writer.field("x", x)
      writer.field("y", y)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        x: try fields.next("x"), y: try fields.next("y"))
    }
  }

  extension Rings.Ring: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 1)
      writer.field("points", points)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        points: try fields.next("points"))
    }
  }

  extension Rings: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 1)
      writer.field("rings", rings)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        rings: try fields.next("rings"))
    }
  }
#endif
