import Foundation
import KeepsakeArchive
import KeepsakeDocuments
import TestSupport
import Testing

/// Graphs and values that would overflow a small stack if they were traversed by recursion.
@Suite struct `On a small stack` {
  private static func copy(_ root: Link) throws -> Link {
    var registry = TypeRegistry()
    try registry.register(Link.self)
    let archive = try Archive(Archive.encode(root))
    try archive.requireCanonical()
    return try archive.decodeRoot(Link.self, registry: registry)
  }

  @Test func `A list of 200,000 objects is written, read and released`() async throws {
    try await onStack {
      let root = Link.list(of: 200_000) { $0.next = $1 }
      let result = try Self.copy(root)
      #expect(Link.length(result) == 200_000)
      Link.release(root)
      Link.release(result)
    }
  }

  @Test
  func `References through arrays are followed a hundred thousand levels deep`() async throws {
    try await onStack {
      let root = Link.list(of: 100_000) { $0.children = [$1] }
      let result = try Self.copy(root)
      #expect(Link.length(result) == 100_000)
      Link.release(root)
      Link.release(result)
    }
  }

  @Test func `Values as deep as the limit allows are read in every way`() async throws {
    try await onStack {
      for kind in 0..<5 {
        var value = DynamicValue.string("innermost")
        for _ in 0..<60 { value = nest(value, kind) }
        let bytes = try archiveBytes { $0.encode(value, forKey: "v") }
        let archive = try Archive(bytes)
        try archive.requireCanonical()
        let read = try archive.object(first).decode(DynamicValue.self, forKey: "v")
        #expect(read == value && read.hashValue == value.hashValue)
        #expect(read.description.contains("innermost"))
        #expect(try archiveBytes { $0.encode(read, forKey: "v") } == bytes)
        for _ in 0..<10 { value = nest(value, kind) }
        let tooDeep = archiveError { _ = try archiveBytes { $0.encode(value, forKey: "v") } }
        #expect(tooDeep?.code == .limitExceeded)
      }
    }
  }

  /// A full check does not recurse, whatever the limit.
  @Test func `A full check of deep values does not recurse`() async throws {
    var limits = ArchiveLimits()
    limits.nestingDepth = 20_000
    let sendable = limits
    try await onStack(of: 1 << 30) {
      var value = DynamicValue.null
      for depth in 0..<19_000 { value = nest(value, depth % 5) }
      let bytes = try archiveBytes(limits: sendable) { $0.encode(value, forKey: "v") }
      let done = DispatchSemaphore(value: 0)
      let thread = Thread {
        #expect(throws: Never.self) { try Archive(bytes, limits: sendable).requireCanonical() }
        #expect(archiveError { try Archive(bytes).requireCanonical() }?.code == .limitExceeded)
        let object = archiveError { _ = try Archive(bytes).object(first).dynamicRecord() }
        #expect(object?.code == .limitExceeded)
        done.signal()
      }
      thread.stackSize = 512 << 10
      thread.start()
      done.wait()
    }
  }
}

/// One more level around a value.
private func nest(_ value: DynamicValue, _ kind: Int) -> DynamicValue {
  switch kind {
  case 0: .array([value])
  case 1: .record(.init(fields: [.init(key: "k", value: value)]))
  case 2: .dictionary([.init(key: .string("k"), value: value)])
  case 3: .enumeration("c", .init(fields: [.init(key: "k", value: value)]))
  default: .array([.bool(true), value])
  }
}

private final class Link: ArchiveObject {
  static let archiveTypeName = "Link"
  var next: Link?
  var children: [Link] = []

  init() {}

  func encode(to coder: inout ObjectEncoder) {
    coder.encodeReference(next, forKey: "next")
    coder.encodeReferences(children, forKey: "children")
  }

  init(from coder: borrowing ObjectDecoder) throws {}

  func decode(from coder: borrowing ObjectDecoder) throws {
    next = try coder.decodeReference(forKey: "next")
    children = try coder.decodeReferences(forKey: "children")
  }

  static func list(of count: Int, _ join: (Link, Link) -> Void) -> Link {
    let root = Link()
    var last = root
    for _ in 1..<count {
      let link = Link()
      join(last, link)
      last = link
    }
    return root
  }

  static func length(_ root: Link) -> Int {
    var count = 0
    var current: Link? = root
    while let link = current {
      count += 1
      current = link.next ?? link.children.first
    }
    return count
  }

  /// Takes a list apart from its head, so that no release causes another one.
  static func release(_ root: Link) {
    var current: Link? = root
    while let link = current {
      current = link.next ?? link.children.first
      link.next = nil
      link.children = []
    }
  }
}
