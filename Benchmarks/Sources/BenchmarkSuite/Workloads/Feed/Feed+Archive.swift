import KeepsakeArchive

extension Feed.Author: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(id, forKey: "id")
    coder.encode(name, forKey: "name")
    coder.encode(handle, forKey: "handle")
    coder.encode(biography, forKey: "biography")
    coder.encode(avatar, forKey: "avatar")
    if let location { coder.encode(location, forKey: "location") }
    coder.encode(joined, forKey: "joined")
    coder.encode(followerCount, forKey: "followerCount")
    coder.encode(followingCount, forKey: "followingCount")
    coder.encode(postCount, forKey: "postCount")
    coder.encode(isVerified, forKey: "isVerified")
    coder.encode(isProtected, forKey: "isProtected")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    id = try coder.decode(forKey: "id")
    name = try coder.decode(forKey: "name")
    handle = try coder.decode(forKey: "handle")
    biography = try coder.decode(forKey: "biography")
    avatar = try coder.decode(forKey: "avatar")
    location = try coder.decodeIfPresent(forKey: "location")
    joined = try coder.decode(forKey: "joined")
    followerCount = try coder.decode(forKey: "followerCount")
    followingCount = try coder.decode(forKey: "followingCount")
    postCount = try coder.decode(forKey: "postCount")
    isVerified = try coder.decode(forKey: "isVerified")
    isProtected = try coder.decode(forKey: "isProtected")
  }
}

extension Feed.Media: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(id, forKey: "id")
    coder.encode(address, forKey: "address")
    coder.encode(preview, forKey: "preview")
    if let caption { coder.encode(caption, forKey: "caption") }
    coder.encode(width, forKey: "width")
    coder.encode(height, forKey: "height")
    if let duration { coder.encode(duration, forKey: "duration") }
    coder.encode(byteCount, forKey: "byteCount")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    id = try coder.decode(forKey: "id")
    address = try coder.decode(forKey: "address")
    preview = try coder.decode(forKey: "preview")
    caption = try coder.decodeIfPresent(forKey: "caption")
    width = try coder.decode(forKey: "width")
    height = try coder.decode(forKey: "height")
    duration = try coder.decodeIfPresent(forKey: "duration")
    byteCount = try coder.decode(forKey: "byteCount")
  }
}

extension Feed.Quote: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(id, forKey: "id")
    coder.encode(created, forKey: "created")
    coder.encode(text, forKey: "text")
    coder.encode(language, forKey: "language")
    coder.encode(likeCount, forKey: "likeCount")
    coder.encode(repostCount, forKey: "repostCount")
    if let author { coder.encode(author, forKey: "author") }
    if let media { coder.encode(media, forKey: "media") }
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    id = try coder.decode(forKey: "id")
    created = try coder.decode(forKey: "created")
    text = try coder.decode(forKey: "text")
    language = try coder.decode(forKey: "language")
    likeCount = try coder.decode(forKey: "likeCount")
    repostCount = try coder.decode(forKey: "repostCount")
    author = try coder.decodeIfPresent(forKey: "author")
    media = try coder.decodeIfPresent(forKey: "media")
  }
}

extension Feed.Post: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(id, forKey: "id")
    coder.encode(created, forKey: "created")
    coder.encode(edited, forKey: "edited")
    coder.encode(text, forKey: "text")
    coder.encode(language, forKey: "language")
    coder.encode(client, forKey: "client")
    coder.encode(address, forKey: "address")
    coder.encode(title, forKey: "title")
    coder.encode(conversationID, forKey: "conversationID")
    coder.encode(replyToID, forKey: "replyToID")
    coder.encode(replyToAuthorID, forKey: "replyToAuthorID")
    coder.encode(mentionedIDs, forKey: "mentionedIDs")
    coder.encode(hashtags, forKey: "hashtags")
    coder.encode(links, forKey: "links")
    coder.encode(likeCount, forKey: "likeCount")
    coder.encode(repostCount, forKey: "repostCount")
    coder.encode(replyCount, forKey: "replyCount")
    coder.encode(quoteCount, forKey: "quoteCount")
    coder.encode(bookmarkCount, forKey: "bookmarkCount")
    coder.encode(impressionCount, forKey: "impressionCount")
    coder.encode(clickCount, forKey: "clickCount")
    coder.encode(shareCount, forKey: "shareCount")
    coder.encode(reportCount, forKey: "reportCount")
    coder.encode(rank, forKey: "rank")
    coder.encode(score, forKey: "score")
    coder.encode(latitude, forKey: "latitude")
    coder.encode(longitude, forKey: "longitude")
    coder.encode(place, forKey: "place")
    coder.encode(topic, forKey: "topic")
    coder.encode(isEdited, forKey: "isEdited")
    coder.encode(isPinned, forKey: "isPinned")
    coder.encode(isSensitive, forKey: "isSensitive")
    coder.encode(isLiked, forKey: "isLiked")
    coder.encode(isReposted, forKey: "isReposted")
    coder.encode(isBookmarked, forKey: "isBookmarked")
    coder.encode(limitsReplies, forKey: "limitsReplies")
    coder.encode(isPromoted, forKey: "isPromoted")
    if let author { coder.encode(author, forKey: "author") }
    if let media { coder.encode(media, forKey: "media") }
    if let quote { coder.encode(quote, forKey: "quote") }
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    id = try coder.decode(forKey: "id")
    created = try coder.decode(forKey: "created")
    edited = try coder.decode(forKey: "edited")
    text = try coder.decode(forKey: "text")
    language = try coder.decode(forKey: "language")
    client = try coder.decode(forKey: "client")
    address = try coder.decode(forKey: "address")
    title = try coder.decode(forKey: "title")
    conversationID = try coder.decode(forKey: "conversationID")
    replyToID = try coder.decode(forKey: "replyToID")
    replyToAuthorID = try coder.decode(forKey: "replyToAuthorID")
    mentionedIDs = try coder.decode(forKey: "mentionedIDs")
    hashtags = try coder.decode(forKey: "hashtags")
    links = try coder.decode(forKey: "links")
    likeCount = try coder.decode(forKey: "likeCount")
    repostCount = try coder.decode(forKey: "repostCount")
    replyCount = try coder.decode(forKey: "replyCount")
    quoteCount = try coder.decode(forKey: "quoteCount")
    bookmarkCount = try coder.decode(forKey: "bookmarkCount")
    impressionCount = try coder.decode(forKey: "impressionCount")
    clickCount = try coder.decode(forKey: "clickCount")
    shareCount = try coder.decode(forKey: "shareCount")
    reportCount = try coder.decode(forKey: "reportCount")
    rank = try coder.decode(forKey: "rank")
    score = try coder.decode(forKey: "score")
    latitude = try coder.decode(forKey: "latitude")
    longitude = try coder.decode(forKey: "longitude")
    place = try coder.decode(forKey: "place")
    topic = try coder.decode(forKey: "topic")
    isEdited = try coder.decode(forKey: "isEdited")
    isPinned = try coder.decode(forKey: "isPinned")
    isSensitive = try coder.decode(forKey: "isSensitive")
    isLiked = try coder.decode(forKey: "isLiked")
    isReposted = try coder.decode(forKey: "isReposted")
    isBookmarked = try coder.decode(forKey: "isBookmarked")
    limitsReplies = try coder.decode(forKey: "limitsReplies")
    isPromoted = try coder.decode(forKey: "isPromoted")
    author = try coder.decodeIfPresent(forKey: "author")
    media = try coder.decodeIfPresent(forKey: "media")
    quote = try coder.decodeIfPresent(forKey: "quote")
  }
}

extension Feed {
  /// An archive with one object for each post.
  func archive() throws -> [UInt8] {
    try Records.archive(posts, typeName: "Post")
  }

  init(unarchiving bytes: [UInt8]) throws {
    self.init(posts: try Records.unarchive(bytes))
  }
}
