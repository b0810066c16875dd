/// The feed of a social network: posts with many fields, some of which are left out.
struct Feed: Codable, Equatable, Sendable {
  struct Author: Codable, Equatable, Sendable {
    var id: Int64 = 0
    var name: String = ""
    var handle: String = ""
    var biography: String = ""
    var avatar: String = ""
    var location: String?
    var joined: Int64 = 0
    var followerCount: Int32 = 0
    var followingCount: Int32 = 0
    var postCount: Int32 = 0
    var isVerified: Bool = false
    var isProtected: Bool = false
  }

  struct Media: Codable, Equatable, Sendable {
    var id: Int64 = 0
    var address: String = ""
    var preview: String = ""
    var caption: String?
    var width: Int32 = 0
    var height: Int32 = 0
    var duration: Double?
    var byteCount: Int64 = 0
  }

  struct Quote: Codable, Equatable, Sendable {
    var id: Int64 = 0
    var created: Int64 = 0
    var text: String = ""
    var language: String = ""
    var likeCount: Int32 = 0
    var repostCount: Int32 = 0
    var author: Author?
    var media: Media?
  }

  struct Post: Codable, Equatable, Sendable {
    var id: Int64 = 0
    var created: Int64 = 0
    var edited: Int64 = 0
    var text: String = ""
    var language: String = ""
    var client: String = ""
    var address: String = ""
    var title: String = ""
    var conversationID: Int64 = 0
    var replyToID: Int64 = 0
    var replyToAuthorID: Int64 = 0
    var mentionedIDs: [Int64] = []
    var hashtags: [String] = []
    var links: [String] = []
    var likeCount: Int32 = 0
    var repostCount: Int32 = 0
    var replyCount: Int32 = 0
    var quoteCount: Int32 = 0
    var bookmarkCount: Int32 = 0
    var impressionCount: Int64 = 0
    var clickCount: Int64 = 0
    var shareCount: Int32 = 0
    var reportCount: Int32 = 0
    var rank: Int32 = 0
    var score: Double = 0
    var latitude: Double = 0
    var longitude: Double = 0
    var place: String = ""
    var topic: String = ""
    var isEdited: Bool = false
    var isPinned: Bool = false
    var isSensitive: Bool = false
    var isLiked: Bool = false
    var isReposted: Bool = false
    var isBookmarked: Bool = false
    var limitsReplies: Bool = false
    var isPromoted: Bool = false
    var author: Author?
    var media: Media?
    var quote: Quote?
  }

  var posts: [Post] = []
}
