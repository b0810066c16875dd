import KeepsakeArchive
import KeepsakeDocuments
import Testing

/// A value that breaks the rules of writing makes its object fail, and nothing else.
@Suite struct `Misused coders` {
  private typealias Body = (inout ObjectEncoder) -> Void

  /// The error of a body; also checks that the writer then continues as if the object had not been tried.
  private func error(_ body: @escaping Body, sourceLocation: SourceLocation = #_sourceLocation)
    throws
    -> ArchiveError?
  {
    func write(_ failing: Body?) throws -> (bytes: [UInt8], error: ArchiveError?) {
      var writer = ArchiveWriter()
      var error: ArchiveError?
      func good(_ coder: inout ObjectEncoder) {
        coder.encode("text", forKey: "a")
        coder.encode([1, nil, 3], forKey: "b")
        coder.encode(Route.list([1]), forKey: "c")
      }
      try writer.writeObject(first, typeName: "T") { good(&$0) }
      if let failing {
        error = archiveError {
          try writer.writeObject(second, typeName: "T") { coder in
            good(&coder)
            failing(&coder)
            coder.encode([["more"]], forKey: "d")
            good(&coder)
          }
        }
        error = archiveError { try writer.writeObject(second, typeName: "T", failing) } ?? error
      }
      try writer.writeObject(second, typeName: "T") { good(&$0) }
      return (try writer.finish(root: first), error)
    }
    let result = try write(body)
    let expected = try write(nil).bytes
    #expect(result.bytes == expected, sourceLocation: sourceLocation)
    return result.error
  }

  @Test func `An element that writes no value or two is an error`() throws {
    let one = Stuttering(count: 1)
    for other in [Stuttering(count: 0), Stuttering(count: 2)] {
      for values in [[other], [one, other], [other, one], [one, other, one]] {
        #expect(try error { $0.encode(values, forKey: "v") }?.code == .invalidValue)
        #expect(try error { $0.encode([values, [one]], forKey: "v") }?.code == .invalidValue)
        #expect(try error { $0.encode(["k": values], forKey: "v") }?.code == .invalidValue)
        #expect(try error { $0.encode(values.map { [$0: 1] }, forKey: "v") }?.code == .invalidValue)
        #expect(try error { $0.encode(Set(values), forKey: "v") } != nil)
      }
    }
  }

  @Test func `The first of two mistakes is reported`() throws {
    for keys in [[ArchiveKey.bundleVersion, .timestamp], [.timestamp, .bundleVersion]] {
      let found = try error { coder in
        for key in keys { coder.encode(2, forKey: key) }
      }
      #expect(found?.code == .reservedKey)
      #expect(found?.keyPath == [keys[0].description])
    }
    let other = try error { coder in
      coder.encode([Stuttering(count: 2)], forKey: "v")
      coder.encode(2, forKey: .bundleVersion)
    }
    #expect(other?.code == .invalidValue)
  }

  @Test func `A value that is written twice under its key is an error`() throws {
    #expect(try error { $0.encode(Stuttering(count: 2), forKey: "v") }?.code == .duplicateKey)
  }

  @Test func `A value that writes nothing leaves its key absent`() throws {
    let object = try archive { $0.encode(Stuttering(count: 0), forKey: "v") }.object(first)
    #expect(object.contains("v") == false)
  }

  @Test func `A key among the elements of an array is an error`() throws {
    func check<Part: ArchiveValue>(_ part: Part) throws {
      for values in [[Keyed(part)], [Keyed(part), Keyed(part)]] {
        #expect(try error { $0.encode(values, forKey: "v") }?.code == .invalidValue)
        #expect(try error { $0.encode(["k": values], forKey: "v") }?.code == .invalidValue)
        #expect(try error { $0.encode(["k": values[0]], forKey: "v") }?.code == .invalidValue)
      }
    }
    try check(true)
    try check(Int128.max)
    try check("text")
    try check(nil as Int?)
    try check(nil as String?)
    try check([1, nil, 3])
    try check([[1], []])
    // Room for a large value is made before its slot.
    try check(ArchiveBytes([UInt8](repeating: 1, count: 5_000)))
    try check([UInt64](repeating: .max, count: 700))
    try check(["a": 1])
    try check(Set([2, 1]))
    try check(Route.list([1]))
    try check(Point(x: 1, y: 2))
    try check(ArchiveReference(first))
    try check(DynamicValue.unknown(.init(rawValue: 20 << 3 | 7), bytes: [1]))
  }

  @Test func `A scope with a key among the elements of an array is an error`() throws {
    struct Scoped: ArchiveValue {
      static let archiveTag = ArchiveTag.record
      init() {}
      func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
        coder.withScope("s") { $0.encode(1, forKey: "k") }
      }
      init(from coder: borrowing ValueDecoder) throws(ArchiveError) {}
    }
    #expect(try error { $0.encode([Scoped()], forKey: "v") }?.code == .invalidValue)
  }

  @Test func `Errors of nested values make the object fail`() throws {
    var deep = DynamicValue.bool(true)
    for _ in 0..<70 { deep = .array([deep]) }
    #expect(try error { $0.encode([deep, deep], forKey: "v") }?.code == .limitExceeded)
    #expect(try error { $0.encode(["k": deep], forKey: "v") }?.code == .limitExceeded)
    let twice = DynamicRecord(fields: [
      .init(key: "k", value: .null), .init(key: "k", value: .null),
    ])
    #expect(
      try error { $0.encode([DynamicValue.record(twice)], forKey: "v") }?.code == .duplicateKey)
    #expect(
      try error { $0.encode([DynamicValue.enumeration("e", twice)], forKey: "v") }?.code
        == .duplicateKey)
    #expect(
      try error { $0.encode(DynamicValue.signed(300, bitWidth: 8), forKey: "v") }?.code
        == .valueOutOfRange)
    let wide = DynamicValue.unknown(ArchiveTag(rawValue: 20 << 3 | 4), bytes: [1])
    #expect(try error { $0.encode(wide, forKey: "v") }?.code == .invalidValue)
    let known = DynamicValue.unknown(.int64, bytes: [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(try error { $0.encode([known], forKey: "v") }?.code == .invalidValue)
    let bit = ArchiveTag(rawValue: 20 << 3 | 7)
    for bytes in [[], [2], [0, 1]] as [[UInt8]] {
      #expect(
        try error { $0.encode(DynamicValue.unknown(bit, bytes: bytes), forKey: "v") }?.code
          == .invalidValue)
    }
  }

  @Test func `The first error of an object is thrown`() throws {
    let found = try error { coder in
      coder.encode("x", forKey: .timestamp)
      coder.encode([Stuttering(count: 2)], forKey: "v")
      coder.encode(1, forKey: "w")
      coder.encode(1, forKey: "w")
    }
    #expect(found?.code == .reservedKey)
    #expect(found?.objectID == second)
  }
}
