import KeepsakeArchive

/// Records that have two of four keys: always the same two, or different ones each time.
///
/// The numbers of keys and of their bytes are equal.
struct ConditionalKeys {
  var isChanging: Bool
  var count: Int

  func archive() throws -> [UInt8] {
    var writer = ArchiveWriter()
    for number in 0..<count {
      let pattern = isChanging ? number & 3 : 0
      let value = Int32(truncatingIfNeeded: number)
      try writer.writeObject(ArchiveObjectID(UInt32(number + 1)), typeName: "State") { coder in
        coder.encode(value, forKey: "identifier")
        coder.encode(value, forKey: "kind")
        coder.encode(value, forKey: "width")
        coder.encode(value, forKey: "height")
        if pattern == 0 || pattern == 3 { coder.encode(value, forKey: "selection") }
        if pattern == 0 || pattern == 1 { coder.encode(value, forKey: "scroll") }
        if pattern == 1 || pattern == 2 { coder.encode(value, forKey: "title") }
        if pattern == 2 || pattern == 3 { coder.encode(value, forKey: "draft") }
        coder.encode(value, forKey: "order")
        coder.encode(value, forKey: "version")
      }
    }
    return try writer.finish(root: ArchiveObjectID(1))
  }

  /// The sum of all stored values.
  func sum(_ bytes: [UInt8]) throws -> Int64 {
    var sum: Int64 = 0
    try Archive(bytes).forEachObject { decoder in
      sum &+= Int64(try decoder.decode(Int32.self, forKey: "identifier"))
      sum &+= Int64(try decoder.decode(Int32.self, forKey: "kind"))
      sum &+= Int64(try decoder.decode(Int32.self, forKey: "width"))
      sum &+= Int64(try decoder.decode(Int32.self, forKey: "height"))
      sum &+= Int64(try decoder.decodeIfPresent(Int32.self, forKey: "selection") ?? 0)
      sum &+= Int64(try decoder.decodeIfPresent(Int32.self, forKey: "scroll") ?? 0)
      sum &+= Int64(try decoder.decodeIfPresent(Int32.self, forKey: "title") ?? 0)
      sum &+= Int64(try decoder.decodeIfPresent(Int32.self, forKey: "draft") ?? 0)
      sum &+= Int64(try decoder.decode(Int32.self, forKey: "order"))
      sum &+= Int64(try decoder.decode(Int32.self, forKey: "version"))
    }
    return sum
  }

  /// Eight values in each record, each the number of the record.
  var expectedSum: Int64 { 8 * Int64(count) * Int64(count - 1) / 2 }
}
