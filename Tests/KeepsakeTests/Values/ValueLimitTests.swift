import Keepsake
import TestSupport
import Testing

/// A thread of replies: each takes two levels, its own and that of its list.
private struct Comment: Codable, Equatable, Sendable {
  var text = "hi"
  var replies: [Comment]?

  /// A value that fills this number of levels of an archive, counting the root object.
  static func filling(levels: Int) -> [Comment] {
    let isEven = levels.isMultiple(of: 2)
    var thread: [Comment] = isEven ? [] : [Comment()]
    for _ in 0..<(isEven ? (levels - 2) / 2 : (levels - 3) / 2) {
      thread = [Comment(replies: thread)]
    }
    return thread
  }
}

private final class Folder: ArchiveObject {
  static let archiveTypeName = "Folder"
  var threads: [[Int]] = []
  var levels: Int

  init(levels: Int) { self.levels = levels }
  init(from coder: borrowing ObjectDecoder) { levels = 0 }

  func encode(to coder: inout ObjectEncoder) {
    var value = DynamicValue.array([])
    for _ in 2..<levels { value = .array([value]) }
    coder.encode(value, forKey: "value")
  }

  func decode(from coder: borrowing ObjectDecoder) throws {
    var value = try coder.decode(DynamicValue.self, forKey: "value")
    levels = 2
    while case .array(let elements) = value, let first = elements.first {
      value = first
      levels += 1
    }
  }
}

private struct Outline: ArchiveRecord {
  static let archiveTypeName = "Outline"
  var folder: Folder

  init(levels: Int) { folder = Folder(levels: levels) }

  func encode(to coder: inout ObjectEncoder) { folder.encode(to: &coder) }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    folder = Folder(levels: 0)
    do {
      try folder.decode(from: coder)
    } catch {
      throw error as? ArchiveError ?? ArchiveError(.damaged, "\(error)")
    }
  }
}

/// Levels of values in files (Spec/state.md, section 6; Spec/archive.md, 7.6).
@MainActor
@Suite struct `Limits of a saved value` {
  private static func limits(_ levels: Int) -> ArchiveLimits {
    var limits = ArchiveLimits()
    limits.nestingDepth = levels
    return limits
  }

  private func with(_ body: (_ path: String, _ key: SealedValueKey) throws -> Void) throws {
    try withTemporaryDirectory { try body($0 + "/value", .key(try SealKey.generate())) }
  }

  @Test(arguments: [63, 64])
  func `A value of up to 64 levels is saved without a higher limit`(levels: Int) throws {
    try with { path, key in
      let thread = Comment.filling(levels: levels)
      try SealedValue.save(thread, to: path, for: key)
      #expect(try SealedValue.load([Comment].self, from: path, with: key) == thread)
      try SealedValue.save(Outline(levels: levels), to: path, for: key)
      #expect(try SealedValue.load(Outline.self, from: path, with: key).folder.levels == levels)
      try SealedValue.save(Folder(levels: levels), to: path, for: key)
      #expect(try SealedValue.load(Folder.self, from: path, with: key).levels == levels)
    }
  }

  @Test func `A value of 65 levels is saved if the app raises the limit, and the error says how`()
    throws
  {
    try with { path, key in
      let thread = Comment.filling(levels: 65)
      let refused = keepsakeError { try SealedValue.save(thread, to: path, for: key) }
      #expect(refused?.code == .valueNotStorable)
      let deeper = Comment.filling(levels: 66)
      let error = keepsakeError { try SealedValue.save(deeper, to: path, for: key) }
      #expect(error?.code == .valueNotStorable)
      #expect(error?.message.contains("nestingDepth in the ArchiveLimits") == true)
      // A path of 64 steps is cut in the middle.
      #expect(error?.message.contains("[0].replies[0].replies[0]") == true)
      #expect(error?.message.contains("…") == true)
      #expect(error?.message.contains("Index") == false)
      #expect((error?.message.count ?? .max) < 700)
      for save in [
        { try SealedValue.save(Outline(levels: 65), to: path, for: key) },
        { try SealedValue.save(Folder(levels: 65), to: path, for: key) },
      ] as [() throws -> Void] {
        #expect(keepsakeError(save)?.code == .valueNotStorable)
      }
      let limits = Self.limits(65)
      try SealedValue.save(thread, to: path, for: key, limits: limits)
      #expect(try SealedValue.load([Comment].self, from: path, with: key) == thread)
      try SealedValue.save(Outline(levels: 65), to: path, for: key, limits: limits)
      #expect(try SealedValue.load(Outline.self, from: path, with: key).folder.levels == 65)
      try SealedValue.save(Folder(levels: 65), to: path, for: key, limits: limits)
      #expect(try SealedValue.load(Folder.self, from: path, with: key).levels == 65)
    }
  }

  @Test(arguments: [511, 512, 513])
  func `A value of up to 512 levels is read without a higher limit`(levels: Int) throws {
    try with { path, key in
      let deep = Self.limits(600)
      let thread = Comment.filling(levels: levels)
      let expected: KeepsakeError.Code? = levels > 512 ? .valueUnreadable : nil
      try SealedValue.save(thread, to: path, for: key, limits: deep)
      let error = keepsakeError {
        _ = try SealedValue.load([Comment].self, from: path, with: key)
      }
      #expect(error?.code == expected)
      let loaded = try SealedValue.load([Comment].self, from: path, with: key, limits: deep)
      #expect(loaded == thread)
      let strict = keepsakeError {
        _ = try SealedValue.load([Comment].self, from: path, with: key, limits: .init())
      }
      #expect(strict?.code == .valueUnreadable)
      try SealedValue.save(Outline(levels: levels), to: path, for: key, limits: deep)
      let record = keepsakeError {
        _ = try SealedValue.load(Outline.self, from: path, with: key)
      }
      #expect(record?.code == expected)
      try SealedValue.save(Folder(levels: levels), to: path, for: key, limits: deep)
      let object = keepsakeError { _ = try SealedValue.load(Folder.self, from: path, with: key) }
      #expect(object?.code == expected)
    }
  }

  @Test func `A store reads 512 levels and writes 64 unless the app raises the limit`() throws {
    try with { path, key in
      let modest = SealedValueStore(path: path, key: key, default: [Comment]())
      let generous = SealedValueStore(
        path: path, key: key, default: [Comment](), limits: Self.limits(512))
      let thread = Comment.filling(levels: 512)
      let refused = keepsakeError { try modest.save(Comment.filling(levels: 65)) }
      #expect(refused?.code == .valueNotStorable)
      try modest.save(Comment.filling(levels: 64))
      _ = try generous.load()
      let tooDeep = keepsakeError { try generous.save(Comment.filling(levels: 513)) }
      #expect(tooDeep?.code == .valueNotStorable)
      try generous.save(thread)
      #expect(try modest.load() == thread)
      // A value that was read can be saved again only by a store that may write as many levels.
      #expect(keepsakeError { try modest.save(thread) }?.code == .valueNotStorable)
      #expect(try generous.load() == thread)
    }
  }

  @Test func `A missing property gets its default in a value of 512 levels`() throws {
    struct Older: Codable { var thread: [Comment] }
    struct Newer: Codable, Sendable { var thread: [Comment] = [], title = "none" }
    try with { path, key in
      let thread = Comment.filling(levels: 511)
      try SealedValue.save(Older(thread: thread), to: path, for: key, limits: Self.limits(512))
      let loaded = try SealedValueStore(path: path, key: key, default: Newer()).load()
      #expect(loaded.thread == thread && loaded.title == "none")
    }
  }
}
