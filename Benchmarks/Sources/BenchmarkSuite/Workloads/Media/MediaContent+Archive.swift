import KeepsakeArchive

extension MediaContent.Player: ArchiveValue {}

extension MediaContent.Size: ArchiveValue {}

extension MediaContent.Image: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(uri, forKey: "uri")
    coder.encode(title, forKey: "title")
    coder.encode(width, forKey: "width")
    coder.encode(height, forKey: "height")
    coder.encode(size, forKey: "size")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let uri = try coder.decode(String.self, forKey: "uri")
    let title = try coder.decode(String?.self, forKey: "title")
    let width = try coder.decode(Int32.self, forKey: "width")
    let height = try coder.decode(Int32.self, forKey: "height")
    let size = try coder.decode(MediaContent.Size.self, forKey: "size")
    self.init(uri: uri, title: title, width: width, height: height, size: size)
  }
}

extension MediaContent.Media: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(uri, forKey: "uri")
    coder.encode(title, forKey: "title")
    coder.encode(width, forKey: "width")
    coder.encode(height, forKey: "height")
    coder.encode(format, forKey: "format")
    coder.encode(duration, forKey: "duration")
    coder.encode(size, forKey: "size")
    coder.encode(bitrate, forKey: "bitrate")
    coder.encode(persons, forKey: "persons")
    coder.encode(player, forKey: "player")
    coder.encode(copyright, forKey: "copyright")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    let uri = try coder.decode(String.self, forKey: "uri")
    let title = try coder.decode(String?.self, forKey: "title")
    let width = try coder.decode(Int32.self, forKey: "width")
    let height = try coder.decode(Int32.self, forKey: "height")
    let format = try coder.decode(String.self, forKey: "format")
    let duration = try coder.decode(Int64.self, forKey: "duration")
    let size = try coder.decode(Int64.self, forKey: "size")
    let bitrate = try coder.decode(Int32?.self, forKey: "bitrate")
    let persons = try coder.decode([String].self, forKey: "persons")
    let player = try coder.decode(MediaContent.Player.self, forKey: "player")
    let copyright = try coder.decode(String?.self, forKey: "copyright")
    self.init(
      uri: uri, title: title, width: width, height: height, format: format, duration: duration,
      size: size, bitrate: bitrate, persons: persons, player: player, copyright: copyright)
  }
}

extension MediaContent {
  func archive() throws -> [UInt8] {
    try SingleObject.archive { coder in
      coder.encode(images, forKey: "images")
      coder.encode(media, forKey: "media")
    }
  }

  init(unarchiving bytes: [UInt8]) throws {
    let archive = try Archive(bytes)
    let object = try archive.object(archive.rootID)
    self.init(
      images: try object.decode([Image].self, forKey: "images"),
      media: try object.decode(Media.self, forKey: "media"))
  }
}
