import KeepsakeArchive

/// An enumeration with a case without values and two cases with values.
enum Route: ArchiveEnumeration, Hashable {
  case home
  case detail(name: String, isEditing: Bool)
  case list([Int8])

  static let archiveTypeName = "Route"

  var archiveCase: ArchiveKey {
    switch self {
    case .home: "home"
    case .detail: "detail"
    case .list: "list"
    }
  }

  func encode(to coder: inout ObjectEncoder) {
    switch self {
    case .home: break
    case .detail(let name, let isEditing):
      coder.encode(name, forKey: "name")
      coder.encode(isEditing, forKey: "isEditing")
    case .list(let values): coder.encode(values, forKey: "values")
    }
  }

  init(archiveCase: ArchiveKey, from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    switch archiveCase {
    case "home": self = .home
    case "detail":
      self = .detail(
        name: try coder.decode(forKey: "name"), isEditing: try coder.decode(forKey: "isEditing")
      )
    case "list": self = .list(try coder.decode(forKey: "values"))
    default: throw .unknownCase(archiveCase, of: Self.self)
    }
  }
}

/// A raw value that is a key of dictionaries.
enum Side: Int16, ArchiveValue {
  case left = -1
  case right = 1
}

/// A value that writes itself `count` times.
struct Stuttering: ArchiveValue, Hashable {
  static let archiveTag = ArchiveTag.int8
  var count: Int

  init(count: Int) {
    self.count = count
  }

  func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    for _ in 0..<count { Int8(1).encode(to: &coder, at: place) }
  }

  init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    count = Int(try Int8(from: coder))
  }
}

/// A value that writes keys where it may be an element of an array.
struct Keyed<Part: ArchiveValue>: ArchiveValue {
  static var archiveTag: ArchiveTag { .record }
  var part: Part

  init(_ part: Part) {
    self.part = part
  }

  func encode(to coder: inout ObjectEncoder, at place: ArchivePlace) {
    coder.encode(part, forKey: "a key among elements")
  }

  init(from coder: borrowing ValueDecoder) throws(ArchiveError) {
    part = try Part(from: coder)
  }
}
