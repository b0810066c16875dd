import Foundation

/// The film and its pictures as classes for `NSKeyedArchiver`.
final class CodedMediaContent: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  static var classes: [AnyClass] {
    [NSArray.self, NSString.self, NSNumber.self, CodedMedia.self, CodedImage.self]
  }

  let content: MediaContent

  init(_ content: MediaContent) {
    self.content = content
  }

  func encode(with coder: NSCoder) {
    coder.encode(content.images.map { CodedImage($0) } as NSArray, forKey: "images")
    coder.encode(CodedMedia(content.media), forKey: "media")
  }

  init?(coder: NSCoder) {
    guard let images = coder.decodeObject(of: Self.classes, forKey: "images") as? [CodedImage],
      let media = coder.decodeObject(of: CodedMedia.self, forKey: "media")
    else { return nil }
    content = MediaContent(images: images.map(\.image), media: media.media)
  }
}

final class CodedImage: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  let image: MediaContent.Image

  init(_ image: MediaContent.Image) {
    self.image = image
  }

  func encode(with coder: NSCoder) {
    coder.encode(image.uri as NSString, forKey: "uri")
    coder.encode(image.title.map { $0 as NSString }, forKey: "title")
    coder.encode(image.width, forKey: "width")
    coder.encode(image.height, forKey: "height")
    coder.encode(image.size.rawValue as NSString, forKey: "size")
  }

  init?(coder: NSCoder) {
    guard let uri = coder.decodeObject(of: NSString.self, forKey: "uri"),
      let name = coder.decodeObject(of: NSString.self, forKey: "size"),
      let size = MediaContent.Size(rawValue: "\(name)")
    else { return nil }
    image = MediaContent.Image(
      uri: "\(uri)",
      title: coder.decodeObject(of: NSString.self, forKey: "title").map { "\($0)" },
      width: coder.decodeInt32(forKey: "width"), height: coder.decodeInt32(forKey: "height"),
      size: size)
  }
}

final class CodedMedia: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }

  let media: MediaContent.Media

  init(_ media: MediaContent.Media) {
    self.media = media
  }

  func encode(with coder: NSCoder) {
    coder.encode(media.uri as NSString, forKey: "uri")
    coder.encode(media.title.map { $0 as NSString }, forKey: "title")
    coder.encode(media.width, forKey: "width")
    coder.encode(media.height, forKey: "height")
    coder.encode(media.format as NSString, forKey: "format")
    coder.encode(media.duration, forKey: "duration")
    coder.encode(media.size, forKey: "size")
    coder.encode(media.bitrate.map { NSNumber(value: $0) }, forKey: "bitrate")
    coder.encode(media.persons.map { $0 as NSString } as NSArray, forKey: "persons")
    coder.encode(media.player.rawValue as NSString, forKey: "player")
    coder.encode(media.copyright.map { $0 as NSString }, forKey: "copyright")
  }

  init?(coder: NSCoder) {
    guard let uri = coder.decodeObject(of: NSString.self, forKey: "uri"),
      let format = coder.decodeObject(of: NSString.self, forKey: "format"),
      let persons = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "persons")
        as? [NSString],
      let name = coder.decodeObject(of: NSString.self, forKey: "player"),
      let player = MediaContent.Player(rawValue: "\(name)")
    else { return nil }
    media = MediaContent.Media(
      uri: "\(uri)",
      title: coder.decodeObject(of: NSString.self, forKey: "title").map { "\($0)" },
      width: coder.decodeInt32(forKey: "width"), height: coder.decodeInt32(forKey: "height"),
      format: "\(format)", duration: coder.decodeInt64(forKey: "duration"),
      size: coder.decodeInt64(forKey: "size"),
      bitrate: coder.decodeObject(of: NSNumber.self, forKey: "bitrate")?.int32Value,
      persons: persons.map { "\($0)" }, player: player,
      copyright: coder.decodeObject(of: NSString.self, forKey: "copyright").map { "\($0)" })
  }
}
