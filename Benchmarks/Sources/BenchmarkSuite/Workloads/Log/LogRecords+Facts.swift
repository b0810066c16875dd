extension LogRecords {
  /// The bytes of the values with fixed-width numbers and eight bytes before each string and list,
  /// the way in which the published sizes are counted.
  var fixedSize: Int {
    logs.reduce(8) { size, log in
      size + 4 + 2 + 8 + 4 * 8 + log.identity.utf8.count + log.userid.utf8.count
        + log.date.utf8.count + log.request.utf8.count
    }
  }

  /// What a lazy reader of three fields has to come to.
  var sum: UInt64 {
    logs.reduce(0) { $0 &+ UInt64($1.code) &+ $1.size &+ UInt64($1.date.utf8.count) }
  }
}
