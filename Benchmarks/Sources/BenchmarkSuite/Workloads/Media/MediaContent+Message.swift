extension MediaContent: MessageConvertible {
  var message: PBMediaContent {
    var message = PBMediaContent()
    message.images = images.map { image in
      var part = PBImage()
      part.uri = image.uri
      if let title = image.title { part.title = title }
      part.width = image.width
      part.height = image.height
      part.size = image.size == .small ? .small : .large
      return part
    }
    message.media.uri = media.uri
    if let title = media.title { message.media.title = title }
    message.media.width = media.width
    message.media.height = media.height
    message.media.format = media.format
    message.media.duration = media.duration
    message.media.size = media.size
    if let bitrate = media.bitrate { message.media.bitrate = bitrate }
    message.media.persons = media.persons
    message.media.player = media.player == .java ? .java : .flash
    if let copyright = media.copyright { message.media.copyright = copyright }
    return message
  }

  init(_ message: PBMediaContent) {
    let part = message.media
    self.init(
      images: message.images.map { image in
        Image(
          uri: image.uri, title: image.hasTitle ? image.title : nil, width: image.width,
          height: image.height, size: image.size == .small ? .small : .large)
      },
      media: Media(
        uri: part.uri, title: part.hasTitle ? part.title : nil, width: part.width,
        height: part.height, format: part.format, duration: part.duration, size: part.size,
        bitrate: part.hasBitrate ? part.bitrate : nil, persons: part.persons,
        player: part.player == .java ? .java : .flash,
        copyright: part.hasCopyright ? part.copyright : nil))
  }
}
