/// What an app shows of a social network: posts with many fields, some of which are left out.
struct Feed: Codable, Equatable, Sendable {
  struct Author: Codable, Equatable, Sendable {
    var id: Int64
    var name: String
    var handle: String
    var biography: String
    var avatar: String
    var location: String?
    var joined: Int64
    var followerCount: Int32
    var followingCount: Int32
    var postCount: Int32
    var isVerified: Bool
    var isProtected: Bool
  }

  struct Media: Codable, Equatable, Sendable {
    var id: Int64
    var address: String
    var preview: String
    var caption: String?
    var width: Int32
    var height: Int32
    var duration: Double?
    var byteCount: Int64
  }

  struct Quote: Codable, Equatable, Sendable {
    var id: Int64
    var created: Int64
    var text: String
    var language: String
    var likeCount: Int32
    var repostCount: Int32
    var author: Author?
    var media: Media?
  }

  struct Post: Codable, Equatable, Sendable {
    var id: Int64
    var created: Int64
    var edited: Int64
    var text: String
    var language: String
    var client: String
    var address: String
    var title: String
    var conversationID: Int64
    var replyToID: Int64
    var replyToAuthorID: Int64
    var mentionedIDs: [Int64]
    var hashtags: [String]
    var links: [String]
    var likeCount: Int32
    var repostCount: Int32
    var replyCount: Int32
    var quoteCount: Int32
    var bookmarkCount: Int32
    var impressionCount: Int64
    var clickCount: Int64
    var shareCount: Int32
    var reportCount: Int32
    var rank: Int32
    var score: Double
    var latitude: Double
    var longitude: Double
    var place: String
    var topic: String
    var isEdited: Bool
    var isPinned: Bool
    var isSensitive: Bool
    var isLiked: Bool
    var isReposted: Bool
    var isBookmarked: Bool
    var limitsReplies: Bool
    var isPromoted: Bool
    var author: Author?
    var media: Media?
    var quote: Quote?
  }

  var posts: [Post]
}
