#if Peers
  extension Updates.Vector: DocumentStruct {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("x", &x)
      try field("y", &y)
      try field("z", &z)
    }
  }

  extension Updates.Orientation: DocumentStruct {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("yaw", &yaw)
      try field("pitch", &pitch)
      try field("roll", &roll)
    }
  }

  extension Updates.Vitals: DocumentStruct {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("health", &health)
      try field("armor", &armor)
      try field("stamina", &stamina)
      try field("level", &level)
      try field("experience", &experience)
    }
  }

  extension Updates.Update: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("entityID", &entityID)
      try field("flags", &flags)
      try field("position", &position)
      try field("velocity", &velocity)
      try field("orientation", &orientation)
      try field("vitals", &vitals)
      try field("score", &score)
      try field("tick", &tick)
      try field("latency", &latency)
      try field("activity", &activity)
      try field("items", &items)
      try field("targets", &targets)
    }
  }

  extension Updates.Packet: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("sequence", &sequence)
      try field("updates", &updates)
    }
  }

  extension Updates: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("packets", &packets)
    }
  }

  extension Updates.Activity: DocumentEnumeration {}
#endif
