extension Feed.Author {
  var message: PBFeedAuthor {
    var message = PBFeedAuthor()
    message.id = id
    message.name = name
    message.handle = handle
    message.biography = biography
    message.avatar = avatar
    if let location { message.location = location }
    message.joined = joined
    message.followerCount = followerCount
    message.followingCount = followingCount
    message.postCount = postCount
    message.isVerified = isVerified
    message.isProtected = isProtected
    return message
  }

  init(_ message: PBFeedAuthor) {
    self.init(
      id: message.id,
      name: message.name,
      handle: message.handle,
      biography: message.biography,
      avatar: message.avatar,
      location: message.hasLocation ? message.location : nil,
      joined: message.joined,
      followerCount: message.followerCount,
      followingCount: message.followingCount,
      postCount: message.postCount,
      isVerified: message.isVerified,
      isProtected: message.isProtected)
  }
}

extension Feed.Media {
  var message: PBFeedMedia {
    var message = PBFeedMedia()
    message.id = id
    message.address = address
    message.preview = preview
    if let caption { message.caption = caption }
    message.width = width
    message.height = height
    if let duration { message.duration = duration }
    message.byteCount = byteCount
    return message
  }

  init(_ message: PBFeedMedia) {
    self.init(
      id: message.id,
      address: message.address,
      preview: message.preview,
      caption: message.hasCaption ? message.caption : nil,
      width: message.width,
      height: message.height,
      duration: message.hasDuration ? message.duration : nil,
      byteCount: message.byteCount)
  }
}

extension Feed.Quote {
  var message: PBFeedQuote {
    var message = PBFeedQuote()
    message.id = id
    message.created = created
    message.text = text
    message.language = language
    message.likeCount = likeCount
    message.repostCount = repostCount
    if let author { message.author = author.message }
    if let media { message.media = media.message }
    return message
  }

  init(_ message: PBFeedQuote) {
    self.init(
      id: message.id,
      created: message.created,
      text: message.text,
      language: message.language,
      likeCount: message.likeCount,
      repostCount: message.repostCount,
      author: message.hasAuthor ? Feed.Author(message.author) : nil,
      media: message.hasMedia ? Feed.Media(message.media) : nil)
  }
}

extension Feed.Post {
  var message: PBFeedPost {
    var message = PBFeedPost()
    message.id = id
    message.created = created
    message.edited = edited
    message.text = text
    message.language = language
    message.client = client
    message.address = address
    message.title = title
    message.conversationID = conversationID
    message.replyToID = replyToID
    message.replyToAuthorID = replyToAuthorID
    message.mentionedIds = mentionedIDs
    message.hashtags = hashtags
    message.links = links
    message.likeCount = likeCount
    message.repostCount = repostCount
    message.replyCount = replyCount
    message.quoteCount = quoteCount
    message.bookmarkCount = bookmarkCount
    message.impressionCount = impressionCount
    message.clickCount = clickCount
    message.shareCount = shareCount
    message.reportCount = reportCount
    message.rank = rank
    message.score = score
    message.latitude = latitude
    message.longitude = longitude
    message.place = place
    message.topic = topic
    message.isEdited = isEdited
    message.isPinned = isPinned
    message.isSensitive = isSensitive
    message.isLiked = isLiked
    message.isReposted = isReposted
    message.isBookmarked = isBookmarked
    message.limitsReplies = limitsReplies
    message.isPromoted = isPromoted
    if let author { message.author = author.message }
    if let media { message.media = media.message }
    if let quote { message.quote = quote.message }
    return message
  }

  init(_ message: PBFeedPost) {
    self.init(
      id: message.id,
      created: message.created,
      edited: message.edited,
      text: message.text,
      language: message.language,
      client: message.client,
      address: message.address,
      title: message.title,
      conversationID: message.conversationID,
      replyToID: message.replyToID,
      replyToAuthorID: message.replyToAuthorID,
      mentionedIDs: message.mentionedIds,
      hashtags: message.hashtags,
      links: message.links,
      likeCount: message.likeCount,
      repostCount: message.repostCount,
      replyCount: message.replyCount,
      quoteCount: message.quoteCount,
      bookmarkCount: message.bookmarkCount,
      impressionCount: message.impressionCount,
      clickCount: message.clickCount,
      shareCount: message.shareCount,
      reportCount: message.reportCount,
      rank: message.rank,
      score: message.score,
      latitude: message.latitude,
      longitude: message.longitude,
      place: message.place,
      topic: message.topic,
      isEdited: message.isEdited,
      isPinned: message.isPinned,
      isSensitive: message.isSensitive,
      isLiked: message.isLiked,
      isReposted: message.isReposted,
      isBookmarked: message.isBookmarked,
      limitsReplies: message.limitsReplies,
      isPromoted: message.isPromoted,
      author: message.hasAuthor ? Feed.Author(message.author) : nil,
      media: message.hasMedia ? Feed.Media(message.media) : nil,
      quote: message.hasQuote ? Feed.Quote(message.quote) : nil)
  }
}

extension Feed: MessageConvertible {
  var message: PBFeed {
    var message = PBFeed()
    message.posts = posts.map(\.message)
    return message
  }

  init(_ message: PBFeed) {
    self.init(
      posts: message.posts.map { Feed.Post($0) })
  }
}
