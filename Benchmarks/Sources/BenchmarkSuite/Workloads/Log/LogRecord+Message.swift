extension LogRecords: MessageConvertible {
  var message: PBLogs {
    var message = PBLogs()
    message.logs = logs.map { record in
      var log = PBLog()
      log.address.x0 = UInt32(record.address.x0)
      log.address.x1 = UInt32(record.address.x1)
      log.address.x2 = UInt32(record.address.x2)
      log.address.x3 = UInt32(record.address.x3)
      log.identity = record.identity
      log.userid = record.userid
      log.date = record.date
      log.request = record.request
      log.code = UInt32(record.code)
      log.size = record.size
      return log
    }
    return message
  }

  init(_ message: PBLogs) {
    self.init(
      logs: message.logs.map { log in
        let address = log.address
        return LogRecord(
          address: LogRecord.Address(
            x0: UInt8(truncatingIfNeeded: address.x0), x1: UInt8(truncatingIfNeeded: address.x1),
            x2: UInt8(truncatingIfNeeded: address.x2), x3: UInt8(truncatingIfNeeded: address.x3)),
          identity: log.identity, userid: log.userid, date: log.date, request: log.request,
          code: UInt16(truncatingIfNeeded: log.code), size: log.size)
      })
  }
}
