#if Peers
  extension Rings.Point: DocumentStruct {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("x", &x)
      try field("y", &y)
    }
  }

  extension Rings.Ring: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("points", &points)
    }
  }

  extension Rings: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("rings", &rings)
    }
  }
#endif
