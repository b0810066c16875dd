import KeepsakeArchive
import KeepsakeDocuments
import Testing

@Suite struct `Reading a number as another type` {
  @Test func `An integer is read as any type that it fits`() throws {
    #expect(try convert(Int8(-5), to: Int64.self) == -5)
    #expect(try convert(Int64(200), to: UInt8.self) == 200)
    #expect(try convert(UInt64.max, to: UInt.self) == UInt.max)
    #expect(try convert(UInt8(255), to: Int16.self) == 255)
    #expect(try convert([Int8(-1), 2], to: [Int].self) == [-1, 2])
  }

  @Test func `An integer that does not fit is an error`() {
    for error in [
      archiveError { _ = try convert(256, to: UInt8.self) },
      archiveError { _ = try convert(-1, to: UInt64.self) },
      archiveError { _ = try convert(UInt64.max, to: Int64.self) },
      archiveError { _ = try convert(Int16(-129), to: Int8.self) },
    ] {
      #expect(error?.code == .valueOutOfRange)
      #expect(error?.keyPath == ["value"])
      #expect(error?.objectID == first)
    }
  }

  @Test func `The error names the element that does not fit`() {
    let error = archiveError { _ = try convert([1, 2, 300], to: [UInt8].self) }
    #expect(error?.code == .valueOutOfRange)
    #expect(error?.keyPath == ["value", "[2]"])
  }

  @Test func `A Double is rounded to the nearest Float`() throws {
    #expect(try convert(11.0, to: Float.self) == 11)
    #expect(try convert(0.1, to: Float.self) == Float(0.1))
    #expect(try convert([0.1, 2], to: [Float].self) == [Float(0.1), 2])
    #expect(try convert(Double.infinity, to: Float.self) == .infinity)
    #expect(try convert(Double.nan, to: Float.self).isNaN)
  }

  @Test func `A Float is read as a Double exactly`() throws {
    #expect(try convert(Float(0.1), to: Double.self) == Double(Float(0.1)))
  }

  @Test func `Every Float16 is read as a Float and a Double exactly`() throws {
    let halves = (0...UInt16.max).map { Float16(bitPattern: $0) }
    #expect(try roundTrip(halves).map(\.bitPattern) == Array(0...UInt16.max))
    let floats = try convert(halves, to: [Float].self)
    let doubles = try convert(halves, to: [Double].self)
    for (index, half) in halves.enumerated() where !half.isNaN {
      #expect(floats[index].bitPattern == Float(half).bitPattern)
      #expect(doubles[index].bitPattern == Double(half).bitPattern)
    }
    #expect(zip(floats, halves).allSatisfy { $0.isNaN == $1.isNaN })
    #expect(zip(doubles, halves).allSatisfy { $0.isNaN == $1.isNaN })
  }

  @Test func `A Double and a Float are rounded to the nearest Float16`() throws {
    for value in [0.1, -0.1, 65519.9, 0x1p-25, 0x1.8p-25, 1 + 0x1p-11, 1 + 0x1.8p-11, 1e-300, -0.0]
    {
      #expect(try convert(value, to: Float16.self).bitPattern == Float16(value).bitPattern)
      let float = Float(value)
      #expect(try convert(float, to: Float16.self).bitPattern == Float16(float).bitPattern)
    }
    #expect(try convert([0.5, 2], to: [Float16].self) == [0.5, 2])
    #expect(try convert(-Double.infinity, to: Float16.self) == -.infinity)
    #expect(try convert(Float.infinity, to: Float16.self) == .infinity)
    #expect(try convert(Float.nan, to: Float16.self).isNaN)
    for error in [
      archiveError { _ = try convert(65520.0, to: Float16.self) },
      archiveError { _ = try convert(Float(-65520), to: Float16.self) },
      archiveError { _ = try convert(1e300, to: Float16?.self) },
    ] {
      #expect(error?.code == .valueOutOfRange && error?.keyPath == ["value"])
    }
    #expect(archiveError { _ = try convert(Float16(1), to: Int.self) }?.code == .typeMismatch)
    #expect(archiveError { _ = try convert(nil as Float?, to: Float16.self) }?.code == .nullValue)
  }

  @Test func `Integers of 128 bits convert as the narrower ones do`() throws {
    #expect(try convert(Int128(-5), to: Int8.self) == -5)
    #expect(try convert(UInt128(1) << 64, to: Int128.self) == 1 << 64)
    #expect(try convert(UInt64.max, to: UInt128.self) == UInt128(UInt64.max))
    #expect(try convert(Int8(-1), to: Int128.self) == -1)
    for error in [
      archiveError { _ = try convert(Int128(1) << 64, to: UInt64.self) },
      archiveError { _ = try convert(Int128(-1), to: UInt128.self) },
      archiveError { _ = try convert(UInt128.max, to: Int128.self) },
      archiveError { _ = try convert(Int128.min, to: Int64.self) },
    ] {
      #expect(error?.code == .valueOutOfRange)
    }
  }

  @Test func `An integer is read as a floating-point number that is the same number`() throws {
    #expect(try convert(3, to: Double.self) == 3)
    #expect(try convert(Int8(-128), to: Float16.self) == -128)
    #expect(try convert(UInt8(255), to: Float.self) == 255)
    #expect(try convert(Int64(1) << 53, to: Double.self) == 0x1p53)
    #expect(try convert(Int64.min, to: Float.self) == -0x1p63)
    #expect(try convert(Int128.min, to: Double.self) == -0x1p127)
    #expect(try convert(UInt128(1) << 127, to: Float.self) == 0x1p127)
    #expect(try convert(2048, to: Float16.self) == 2048)
    #expect(try convert(0, to: Double.self).sign == .plus)
  }

  @Test func `Integers are read as floating-point numbers in every collection`() throws {
    #expect(try convert([1, 300], to: [Double].self) == [1, 300])
    #expect(try convert([1, nil, 3], to: [Double?].self) == [1, nil, 3])
    #expect(try convert([1, 300] as [UInt16], to: [Float16].self) == [1, 300])
    #expect(try convert([[1, 2], [3, 4]], to: [[Double]].self) == [[1, 2], [3, 4]])
    let rows = (0..<12).map { [Int32($0), 1] }
    #expect(try convert(rows, to: [[Float]].self) == rows.map { $0.map { Float($0) } })
    #expect(try convert([1, 2] as Set, to: Set<Double>.self) == [1, 2])
    #expect(try convert(["a": 1], to: [String: Double].self) == ["a": 1])
    #expect(try convert([1: "a"], to: [Double: String].self) == [1: "a"])
    #expect(try convert(1 as Int?, to: Double?.self) == 1)
    let mixed = DynamicValue.array([.signed(1, bitWidth: 64), .double(2.5)])
    #expect(try convert(mixed, to: [Double].self) == [1, 2.5])
  }

  @Test func `An integer that a floating-point type would round is an error`() throws {
    for error in [
      archiveError { _ = try convert(Int64(1) << 53 + 1, to: Double.self) },
      archiveError { _ = try convert(Int64.max, to: Double.self) },
      archiveError { _ = try convert(UInt128.max, to: Double.self) },
      archiveError { _ = try convert(1 << 24 + 1, to: Float.self) },
      archiveError { _ = try convert(2049, to: Float16.self) },
      archiveError { _ = try convert(65_536, to: Float16.self) },
    ] {
      #expect(error?.code == .valueOutOfRange && error?.keyPath == ["value"])
    }
    let element = archiveError { _ = try convert([1, .max], to: [Double].self) }
    #expect(element?.code == .valueOutOfRange && element?.keyPath == ["value", "[1]"])
  }

  @Test func `Integers are not borrowed as floating-point numbers`() throws {
    let object = try archive { $0.encode([1, 2] as [Int64], forKey: "value") }.object(first)
    let error = archiveError {
      _ = try object.withSpan(of: Double.self, forKey: "value") { $0.count }
    }
    #expect(error?.code == .typeMismatch)
  }

  @Test func `A finite Double that becomes infinite is an error`() {
    let error = archiveError { _ = try convert(1e300, to: Float.self) }
    #expect(error?.code == .valueOutOfRange)
  }

  @Test func `Kinds do not convert into each other`() {
    for error in [
      archiveError { _ = try convert(11.0, to: Int.self) },
      archiveError { _ = try convert(1, to: Bool.self) },
      archiveError { _ = try convert(true, to: Int.self) },
      archiveError { _ = try convert("1", to: Int.self) },
      archiveError { _ = try convert(1, to: String.self) },
      archiveError { _ = try convert([1], to: Int.self) },
      archiveError { _ = try convert(1, to: [Int].self) },
      archiveError { _ = try convert(["a": 1], to: [Int].self) },
      archiveError { _ = try convert(1, to: ArchiveReference.self) },
      archiveError { _ = try convert(1, to: Point.self) },
    ] {
      #expect(error?.code == .typeMismatch)
    }
  }

  @Test func `An error in one key leaves the others readable`() throws {
    let object = try archive { coder in
      coder.encode("text", forKey: "a")
      coder.encode(7, forKey: "b")
    }.object(first)
    let wrong = #expect(throws: ArchiveError.self) { try object.decode(Int.self, forKey: "a") }
    #expect(wrong?.code == .typeMismatch && wrong?.keyPath == ["a"])
    let absent = #expect(throws: ArchiveError.self) {
      try object.decode(Int.self, forKey: "missing")
    }
    #expect(absent?.code == .absentKey && absent?.keyPath == ["missing"])
    #expect(try object.decode(Int.self, forKey: "b") == 7)
    #expect(try object.decode(String.self, forKey: "a") == "text")
  }

  @Test func `An error says what is wrong, where it is and what to do`() {
    let error = archiveError { _ = try convert("text", to: Int.self) }
    let text = error?.description ?? ""
    #expect(text.contains("A value of type String is stored where an integer was asked for"))
    #expect(text.contains("object #1, key path value"))
    #expect(text.hasSuffix("Decode it as the type that was encoded."))
  }
}
