#if Peers
  extension Updates.Vector: DocumentValue {
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

  extension Updates.Orientation: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 3)
      writer.field("yaw", yaw)
      writer.field("pitch", pitch)
      writer.field("roll", roll)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        yaw: try fields.next("yaw"), pitch: try fields.next("pitch"), roll: try fields.next("roll"))
    }
  }

  extension Updates.Vitals: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 5)
      writer.field("health", health)
      writer.field("armor", armor)
      writer.field("stamina", stamina)
      writer.field("level", level)
      writer.field("experience", experience)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        health: try fields.next("health"), armor: try fields.next("armor"),
        stamina: try fields.next("stamina"), level: try fields.next("level"),
        experience: try fields.next("experience"))
    }
  }

  extension Updates.Update: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 12)
      writer.field("entityID", entityID)
      writer.field("flags", flags)
      writer.field("position", position)
      writer.field("velocity", velocity)
      writer.field("orientation", orientation)
      writer.field("vitals", vitals)
      writer.field("score", score)
      writer.field("tick", tick)
      writer.field("latency", latency)
      writer.field("activity", activity)
      writer.field("items", items)
      writer.field("targets", targets)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        entityID: try fields.next("entityID"), flags: try fields.next("flags"),
        position: try fields.next("position"), velocity: try fields.next("velocity"),
        orientation: try fields.next("orientation"), vitals: try fields.next("vitals"),
        score: try fields.next("score"), tick: try fields.next("tick"),
        latency: try fields.next("latency"), activity: try fields.next("activity"),
        items: try fields.next("items"), targets: try fields.next("targets"))
    }
  }

  extension Updates.Packet: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 2)
      writer.field("sequence", sequence)
      writer.field("updates", updates)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        sequence: try fields.next("sequence"), updates: try fields.next("updates"))
    }
  }

  extension Updates: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 1)
      writer.field("packets", packets)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        packets: try fields.next("packets"))
    }
  }

  extension Updates.Activity: DocumentValue {
    func write(to writer: inout some DocumentWriter) { rawValue.write(to: &writer) }

    init(from node: some DocumentNode) throws {
      guard let value = Self(rawValue: try UInt8(from: node)) else { throw DocumentFailure.type }
      self = value
    }
  }
#endif
