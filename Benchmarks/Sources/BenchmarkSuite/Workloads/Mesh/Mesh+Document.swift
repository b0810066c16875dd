#if Peers
  extension Mesh.Vector: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 3)
      writer.field("x", x)
      writer.field("y", y)
      writer.field("z", z)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        x: try fields.next("x"), y: try fields.next("y"), z: try fields.next("z"))
    }
  }

  extension Mesh.Triangle: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 4)
      writer.field("v0", v0)
      writer.field("v1", v1)
      writer.field("v2", v2)
      writer.field("normal", normal)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        v0: try fields.next("v0"), v1: try fields.next("v1"), v2: try fields.next("v2"),
        normal: try fields.next("normal"))
    }
  }

  extension Mesh: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 1)
      writer.field("triangles", triangles)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        triangles: try fields.next("triangles"))
    }
  }
#endif
