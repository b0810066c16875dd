import KeepsakeArchive

/// The same view as an object with identity, as in a toolkit.
final class ViewObject: ArchiveObject {
  static let archiveTypeName = "View"

  let identifier: String
  let frame: ViewRecord.Frame
  let background: String
  let alpha: Double
  let isHidden: Bool
  let tag: Int64
  let text: String?
  var children: [ViewObject] = []

  init(_ record: ViewRecord) {
    identifier = record.identifier
    frame = record.frame
    background = record.background
    alpha = record.alpha
    isHidden = record.isHidden
    tag = record.tag
    text = record.text
    children = record.children.map { ViewObject($0) }
  }

  init(
    identifier: String, frame: ViewRecord.Frame, background: String, alpha: Double,
    isHidden: Bool, tag: Int64, text: String?
  ) {
    self.identifier = identifier
    self.frame = frame
    self.background = background
    self.alpha = alpha
    self.isHidden = isHidden
    self.tag = tag
    self.text = text
  }

  /// The view as a value.
  var record: ViewRecord {
    ViewRecord(
      identifier: identifier, frame: frame, background: background, alpha: alpha,
      isHidden: isHidden, tag: tag, text: text, children: children.map(\.record))
  }

  func encode(to coder: inout ObjectEncoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(frame, forKey: "frame")
    coder.encode(background, forKey: "background")
    coder.encode(alpha, forKey: "alpha")
    coder.encode(isHidden, forKey: "isHidden")
    coder.encode(tag, forKey: "tag")
    coder.encode(text, forKey: "text")
    coder.encodeReferences(children, forKey: "children")
  }

  init(from coder: borrowing ObjectDecoder) throws {
    identifier = try coder.decode(String.self, forKey: "identifier")
    frame = try coder.decode(ViewRecord.Frame.self, forKey: "frame")
    background = try coder.decode(String.self, forKey: "background")
    alpha = try coder.decode(Double.self, forKey: "alpha")
    isHidden = try coder.decode(Bool.self, forKey: "isHidden")
    tag = try coder.decode(Int64.self, forKey: "tag")
    text = try coder.decode(String?.self, forKey: "text")
  }

  func decode(from coder: borrowing ObjectDecoder) throws {
    children = try coder.decodeReferences(ViewObject.self, forKey: "children")
  }
}

extension ViewObject {
  func archive() throws -> [UInt8] { try Archive.encode(self) }

  static func unarchive(_ bytes: [UInt8]) throws -> ViewObject {
    var registry = TypeRegistry()
    try registry.register(ViewObject.self)
    return try Archive(bytes).decodeRoot(ViewObject.self, registry: registry)
  }

  /// Opens an archive and reads only three numbers of each view.
  static func sumLazily(_ bytes: [UInt8]) throws -> Double {
    var sum = 0.0
    try Archive(bytes).forEachObject { view in
      sum += try view.decode(Double.self, forKey: "alpha")
      sum += Double(try view.decode(Int64.self, forKey: "tag"))
      sum += try view.decode(Bool.self, forKey: "isHidden") ? 1 : 0
    }
    return sum
  }
}
