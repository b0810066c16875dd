import KeepsakeArchive

extension ViewRecord.Frame: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(x, forKey: "x")
    coder.encode(y, forKey: "y")
    coder.encode(width, forKey: "width")
    coder.encode(height, forKey: "height")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let x = try coder.decode(Double.self, forKey: "x")
    let y = try coder.decode(Double.self, forKey: "y")
    let width = try coder.decode(Double.self, forKey: "width")
    let height = try coder.decode(Double.self, forKey: "height")
    self.init(x: x, y: y, width: width, height: height)
  }
}

extension ViewRecord: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(identifier, forKey: "identifier")
    coder.encode(frame, forKey: "frame")
    coder.encode(background, forKey: "background")
    coder.encode(alpha, forKey: "alpha")
    coder.encode(isHidden, forKey: "isHidden")
    coder.encode(tag, forKey: "tag")
    coder.encode(text, forKey: "text")
    coder.encode(children, forKey: "children")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let identifier = try coder.decode(String.self, forKey: "identifier")
    let frame = try coder.decode(Frame.self, forKey: "frame")
    let background = try coder.decode(String.self, forKey: "background")
    let alpha = try coder.decode(Double.self, forKey: "alpha")
    let isHidden = try coder.decode(Bool.self, forKey: "isHidden")
    let tag = try coder.decode(Int64.self, forKey: "tag")
    let text = try coder.decode(String?.self, forKey: "text")
    let children = try coder.decode([ViewRecord].self, forKey: "children")
    self.init(
      identifier: identifier, frame: frame, background: background, alpha: alpha,
      isHidden: isHidden, tag: tag, text: text, children: children)
  }
}

extension ViewRecord {
  /// An archive with the whole tree as one value, without identity.
  func archive() throws -> [UInt8] {
    try SingleObject.archive { encode(to: &$0) }
  }

  init(unarchiving bytes: [UInt8]) throws {
    let archive = try Archive(bytes)
    try self.init(from: archive.object(archive.rootID))
  }
}
