/// The value of jvm-serializers: a film with two pictures.
struct MediaContent: Codable, Equatable, Sendable {
  enum Player: String, Codable, Sendable { case java, flash }
  enum Size: String, Codable, Sendable { case small, large }

  struct Image: Codable, Equatable, Sendable {
    var uri: String
    var title: String?
    var width: Int32
    var height: Int32
    var size: Size
  }

  struct Media: Codable, Equatable, Sendable {
    var uri: String
    var title: String?
    var width: Int32
    var height: Int32
    var format: String
    var duration: Int64
    var size: Int64
    var bitrate: Int32?
    var persons: [String]
    var player: Player
    var copyright: String?
  }

  var images: [Image]
  var media: Media
}

extension MediaContent {
  /// The standard value, called media.1.
  static let standard = MediaContent(
    images: [
      Image(
        uri: "http://javaone.com/keynote_large.jpg", title: "Javaone Keynote", width: 1024,
        height: 768, size: .large),
      Image(
        uri: "http://javaone.com/keynote_small.jpg", title: "Javaone Keynote", width: 320,
        height: 240, size: .small),
    ],
    media: Media(
      uri: "http://javaone.com/keynote.mpg", title: "Javaone Keynote", width: 640, height: 480,
      format: "video/mpg4", duration: 18_000_000, size: 58_982_400, bitrate: 262_144,
      persons: ["Bill Gates", "Steve Jobs\u{30B9}"], player: .java, copyright: nil))

  /// A value that differs in every field, with text outside of the basic plane.
  ///
  /// It is not timed, but every subject must return it unchanged.
  static let other = MediaContent(
    images: [
      Image(uri: "a", title: nil, width: -1, height: .max, size: .small),
      Image(uri: "", title: "", width: 0, height: 1, size: .large),
      Image(uri: "\u{1F600}\u{1F3F4}", title: "\u{10FFFF}", width: .min, height: 7, size: .small),
    ],
    media: Media(
      uri: "https://example.com/\u{1F4FC}", title: nil, width: 1, height: 2, format: "",
      duration: .min, size: .max, bitrate: nil, persons: [], player: .flash,
      copyright: "\u{A9} nobody"))

  var payloadSize: Int {
    let imageBytes = images.reduce(0) {
      $0 + $1.uri.utf8.count + ($1.title?.utf8.count ?? 0) + 4 + 4 + 1
    }
    let names = media.persons.reduce(0) { $0 + $1.utf8.count }
    return imageBytes + names + media.uri.utf8.count + (media.title?.utf8.count ?? 0)
      + media.format.utf8.count + (media.copyright?.utf8.count ?? 0) + 4 + 4 + 8 + 8 + 4 + 1
  }
}
