#if Peers
  extension Mesh.Vector: DocumentStruct {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("x", &x)
      try field("y", &y)
      try field("z", &z)
    }
  }

  extension Mesh.Triangle: DocumentStruct {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("v0", &v0)
      try field("v1", &v1)
      try field("v2", &v2)
      try field("normal", &normal)
    }
  }

  extension Mesh: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("triangles", &triangles)
    }
  }
#endif
