#if Peers
  extension Outlines.Outline: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 1)
      writer.field("coordinates", coordinates)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        coordinates: try fields.next("coordinates"))
    }
  }

  extension Outlines: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 1)
      writer.field("outlines", outlines)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        outlines: try fields.next("outlines"))
    }
  }
#endif
