#if Peers
  extension Outlines.Outline: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("coordinates", &coordinates)
    }
  }

  extension Outlines: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("outlines", &outlines)
    }
  }
#endif
