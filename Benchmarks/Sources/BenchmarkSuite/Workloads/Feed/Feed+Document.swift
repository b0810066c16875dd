#if Peers
  extension Feed.Author: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("id", &id)
      try field("name", &name)
      try field("handle", &handle)
      try field("biography", &biography)
      try field("avatar", &avatar)
      try field("location", &location)
      try field("joined", &joined)
      try field("followerCount", &followerCount)
      try field("followingCount", &followingCount)
      try field("postCount", &postCount)
      try field("isVerified", &isVerified)
      try field("isProtected", &isProtected)
    }
  }

  extension Feed.Media: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("id", &id)
      try field("address", &address)
      try field("preview", &preview)
      try field("caption", &caption)
      try field("width", &width)
      try field("height", &height)
      try field("duration", &duration)
      try field("byteCount", &byteCount)
    }
  }

  extension Feed.Quote: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("id", &id)
      try field("created", &created)
      try field("text", &text)
      try field("language", &language)
      try field("likeCount", &likeCount)
      try field("repostCount", &repostCount)
      try field("author", &author)
      try field("media", &media)
    }
  }

  extension Feed.Post: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("id", &id)
      try field("created", &created)
      try field("edited", &edited)
      try field("text", &text)
      try field("language", &language)
      try field("client", &client)
      try field("address", &address)
      try field("title", &title)
      try field("conversationID", &conversationID)
      try field("replyToID", &replyToID)
      try field("replyToAuthorID", &replyToAuthorID)
      try field("mentionedIDs", &mentionedIDs)
      try field("hashtags", &hashtags)
      try field("links", &links)
      try field("likeCount", &likeCount)
      try field("repostCount", &repostCount)
      try field("replyCount", &replyCount)
      try field("quoteCount", &quoteCount)
      try field("bookmarkCount", &bookmarkCount)
      try field("impressionCount", &impressionCount)
      try field("clickCount", &clickCount)
      try field("shareCount", &shareCount)
      try field("reportCount", &reportCount)
      try field("rank", &rank)
      try field("score", &score)
      try field("latitude", &latitude)
      try field("longitude", &longitude)
      try field("place", &place)
      try field("topic", &topic)
      try field("isEdited", &isEdited)
      try field("isPinned", &isPinned)
      try field("isSensitive", &isSensitive)
      try field("isLiked", &isLiked)
      try field("isReposted", &isReposted)
      try field("isBookmarked", &isBookmarked)
      try field("limitsReplies", &limitsReplies)
      try field("isPromoted", &isPromoted)
      try field("author", &author)
      try field("media", &media)
      try field("quote", &quote)
    }
  }

  extension Feed: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("posts", &posts)
    }
  }
#endif
