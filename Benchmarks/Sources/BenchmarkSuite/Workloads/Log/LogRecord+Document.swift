#if Peers
  extension LogRecord.Address: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 4)
      writer.field("x0", x0)
      writer.field("x1", x1)
      writer.field("x2", x2)
      writer.field("x3", x3)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        x0: try fields.next("x0"), x1: try fields.next("x1"), x2: try fields.next("x2"),
        x3: try fields.next("x3"))
    }
  }

  extension LogRecord: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 7)
      writer.field("address", address)
      writer.field("identity", identity)
      writer.field("userid", userid)
      writer.field("date", date)
      writer.field("request", request)
      writer.field("code", code)
      writer.field("size", size)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        address: try fields.next("address"), identity: try fields.next("identity"),
        userid: try fields.next("userid"), date: try fields.next("date"),
        request: try fields.next("request"), code: try fields.next("code"),
        size: try fields.next("size"))
    }
  }

  extension LogRecords: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 1)
      writer.field("logs", logs)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        logs: try fields.next("logs"))
    }
  }
#endif
