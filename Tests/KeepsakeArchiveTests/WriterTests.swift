import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

@Suite struct `Writing records` {
  private struct Stop: Error {}

  @Test func `A body that throws writes nothing and the id can be written again`() throws {
    func write(failing: Bool) throws -> [UInt8] {
      var writer = ArchiveWriter()
      if failing {
        #expect(throws: Stop.self) {
          try writer.writeObject(first, typeName: "Other") { coder in
            coder.encode([Point(x: 1, y: 2)], forKey: "a key of the failed body")
            coder.encode(ArchiveReference(ArchiveObjectID(99)), forKey: "reference")
            throw Stop()
          }
        }
        let error = archiveError {
          try writer.writeObject(first, typeName: "Other") { coder in
            coder.encode(Point(x: 1, y: 2), forKey: "twice")
            coder.encode(Point(x: 1, y: 2), forKey: "twice")
          }
        }
        #expect(error?.code == .duplicateKey)
      }
      try writer.writeObject(first, typeName: "Test") { coder in
        coder.encode([Point(x: 3, y: 4)], forKey: "points")
      }
      return try writer.finish(root: first)
    }
    #expect(try write(failing: true) == write(failing: false))
  }

  @Test func `Objects must be written in the order of their ids`() {
    var writer = ArchiveWriter()
    for wrong in [0, 2] as [UInt32] {
      let error = archiveError { try writer.writeObject(.init(wrong), typeName: "T") { _ in } }
      #expect(error?.code == .objectOutOfOrder)
    }
    #expect(writer.nextObjectID == first)
    #expect(archiveError { try writer.writeObject(first, typeName: "") { _ in } } != nil)
  }

  @Test func `Every object that is referred to must be written`() throws {
    let error = archiveError {
      _ = try archiveBytes { $0.encode(ArchiveReference(second), forKey: "next") }
    }
    #expect(error?.code == .unwrittenReference)
    let empty = archiveError { _ = try ArchiveWriter().finish(root: first) }
    #expect(empty?.code == .unwrittenReference)
  }

  @Test func `References may lead to objects written before and after`() throws {
    var writer = ArchiveWriter()
    try writer.writeObject(first, typeName: "T") { coder in
      coder.encode([ArchiveReference(second), ArchiveReference(nil)], forKey: "all")
    }
    try writer.writeObject(second, typeName: "T") { coder in
      coder.encode(ArchiveReference(first), forKey: "back")
    }
    let archive = try Archive(writer.finish(root: second))
    try archive.requireCanonical()
    #expect(archive.rootID == second)
    let all = try archive.object(first).decode([ArchiveReference].self, forKey: "all")
    #expect(all == [ArchiveReference(second), ArchiveReference(nil)])
    #expect(archiveError { _ = try archive.object(.init(3)) }?.code == .noSuchObject)
    #expect(archiveError { _ = try archive.object(.init(0)) }?.code == .noSuchObject)
  }

  @Test func `A reference to id zero is an error`() {
    let error = archiveError {
      _ = try archiveBytes { $0.encode(ArchiveReference(.init(0)), forKey: "a") }
    }
    #expect(error?.code == .invalidValue)
  }

  // Holds.
  @Test func `Objects of one type share one shape for each order of their calls`() throws {
    var writer = ArchiveWriter()
    for number in 1...200 as ClosedRange<UInt32> {
      try writer.writeObject(.init(number), typeName: "T") { coder in
        if number.isMultiple(of: 2) {
          coder.encode(number, forKey: "a long key that is stored once")
          coder.encode(number.isMultiple(of: 3) ? nil : number, forKey: "b")
        } else {
          coder.encode(number.isMultiple(of: 3) ? nil : number, forKey: "b")
          coder.encode(number, forKey: "a long key that is stored once")
        }
      }
    }
    let bytes = try writer.finish(root: first)
    // Each record takes 9 bytes, and three in the directory; the rest are the tables.
    #expect(bytes.count < 200 * 12 + 200)
    let shapes = ArchiveMap(bytes).shapes.count
    #expect(shapes == 2)
    let archive = try Archive(bytes)
    try archive.requireCanonical()
    #expect(try archive.object(.init(6)).decode(UInt32?.self, forKey: "b") == nil)
    #expect(try archive.object(.init(7)).decode(UInt32?.self, forKey: "b") == 7)
  }

  // Holds.
  @Test func `Large archives are split into segments by size alone`() throws {
    func write() throws -> [UInt8] {
      var writer = ArchiveWriter()
      for number in 1...3000 as ClosedRange<UInt32> {
        try writer.writeObject(.init(number), typeName: "T\(number / 1000)") { coder in
          coder.encode(String(repeating: "x", count: 300), forKey: ArchiveKey("k\(number / 700)"))
          coder.encode(number, forKey: "number")
        }
      }
      return try writer.finish(root: first)
    }
    let bytes = try write()
    #expect(try write() == bytes)
    let segments = ArchiveMap(bytes).segments.count
    #expect(segments == 14)
    let archive = try Archive(bytes)
    try archive.requireCanonical()
    for number in 1...3000 as ClosedRange<UInt32> {
      #expect(try archive.object(.init(number)).decode(UInt32.self, forKey: "number") == number)
    }
  }

  @Test func `Values nested too deep are refused without deep recursion`() throws {
    var value = DynamicValue.bool(true)
    for _ in 0..<63 { value = .array([value]) }
    #expect(try roundTrip(value) == value)
    value = .array([value])
    #expect(
      archiveError { _ = try archiveBytes { $0.encode(value, forKey: "v") } }?.code
        == .limitExceeded)
    func nest(_ coder: inout ObjectEncoder, _ depth: Int) {
      if depth > 0 { coder.withScope("s") { nest(&$0, depth - 1) } }
      if depth == 0 { coder.encode(1, forKey: "k") }
    }
    #expect(archiveError { _ = try archiveBytes { nest(&$0, 100) } }?.code == .limitExceeded)
  }

  // Holds.
  @Test func `Limits are checked while an archive is written`() {
    var limits = ArchiveLimits()
    limits.recordByteCount = 100
    limits.nameByteCount = 10
    limits.slotCount = 5
    for error in [
      archiveError {
        _ = try archiveBytes(limits: limits) {
          $0.encode(String(repeating: "x", count: 200), forKey: "a")
        }
      },
      archiveError {
        _ = try archiveBytes(limits: limits) { $0.encode(1, forKey: "a name of many bytes") }
      },
      archiveError {
        _ = try archiveBytes(limits: limits) { coder in
          for index in 0..<6 { coder.encode(index, forKey: ArchiveKey("\(index)")) }
        }
      },
    ] {
      #expect(error?.code == .limitExceeded)
    }
  }

  @MainActor @Test func `A body may use objects of the main actor`() throws {
    let window = Window(title: "Contacts")
    let bytes = try archiveBytes { $0.encode(window.title, forKey: "title") }
    #expect(try Archive(bytes).object(first).decode(String.self, forKey: "title") == "Contacts")
  }
}

@MainActor private final class Window {
  let title: String
  init(title: String) { self.title = title }
}
