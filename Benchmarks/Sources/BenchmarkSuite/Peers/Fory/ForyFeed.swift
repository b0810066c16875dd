import BenchmarkHarness

#if FORY
  import Fory

  /// The code that Apache Fory generates for the types of this workload.
  enum ForyFeed {
    @ForyStruct(target: Feed.Author.self)
    struct AuthorSerializer {
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

    @ForyStruct(target: Feed.Media.self)
    struct MediaSerializer {
      var id: Int64
      var address: String
      var preview: String
      var caption: String?
      var width: Int32
      var height: Int32
      var duration: Double?
      var byteCount: Int64
    }

    @ForyStruct(target: Feed.Quote.self)
    struct QuoteSerializer {
      var id: Int64
      var created: Int64
      var text: String
      var language: String
      var likeCount: Int32
      var repostCount: Int32
      @ForyField(with: OptionalSerializer<AuthorSerializer>.self)
      var author: Feed.Author?
      @ForyField(with: OptionalSerializer<MediaSerializer>.self)
      var media: Feed.Media?
    }

    @ForyStruct(target: Feed.Post.self)
    struct PostSerializer {
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
      @ForyField(with: OptionalSerializer<AuthorSerializer>.self)
      var author: Feed.Author?
      @ForyField(with: OptionalSerializer<MediaSerializer>.self)
      var media: Feed.Media?
      @ForyField(with: OptionalSerializer<QuoteSerializer>.self)
      var quote: Feed.Quote?
    }

    @ForyStruct(target: Feed.self)
    struct RootSerializer {
      @ListField(element: .with(PostSerializer.self))
      var posts: [Feed.Post]
    }

    static func register(with fory: Fory) throws {
      try fory.register(AuthorSerializer.self, id: 1)
      try fory.register(MediaSerializer.self, id: 2)
      try fory.register(QuoteSerializer.self, id: 3)
      try fory.register(PostSerializer.self, id: 4)
      try fory.register(RootSerializer.self, id: 5)
    }
  }
#endif

extension Contenders where Value == Feed {
  /// Apache Fory Swift, if the build was given its checkout.
  func rivals() -> [Benchmark] {
    #if FORY
      return fory(
        register: ForyFeed.register,
        encode: { try $0.serialize($1, with: ForyFeed.RootSerializer.self) },
        decode: { try $0.deserialize($1, with: ForyFeed.RootSerializer.self) })
    #else
      return []
    #endif
  }
}
