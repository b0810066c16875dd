#if Peers
  extension Feed.Author: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 12)
      writer.field("id", id)
      writer.field("name", name)
      writer.field("handle", handle)
      writer.field("biography", biography)
      writer.field("avatar", avatar)
      writer.field("location", location)
      writer.field("joined", joined)
      writer.field("followerCount", followerCount)
      writer.field("followingCount", followingCount)
      writer.field("postCount", postCount)
      writer.field("isVerified", isVerified)
      writer.field("isProtected", isProtected)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        id: try fields.next("id"), name: try fields.next("name"), handle: try fields.next("handle"),
        biography: try fields.next("biography"), avatar: try fields.next("avatar"),
        location: try fields.next("location"), joined: try fields.next("joined"),
        followerCount: try fields.next("followerCount"),
        followingCount: try fields.next("followingCount"), postCount: try fields.next("postCount"),
        isVerified: try fields.next("isVerified"), isProtected: try fields.next("isProtected"))
    }
  }

  extension Feed.Media: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 8)
      writer.field("id", id)
      writer.field("address", address)
      writer.field("preview", preview)
      writer.field("caption", caption)
      writer.field("width", width)
      writer.field("height", height)
      writer.field("duration", duration)
      writer.field("byteCount", byteCount)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        id: try fields.next("id"), address: try fields.next("address"),
        preview: try fields.next("preview"), caption: try fields.next("caption"),
        width: try fields.next("width"), height: try fields.next("height"),
        duration: try fields.next("duration"), byteCount: try fields.next("byteCount"))
    }
  }

  extension Feed.Quote: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 8)
      writer.field("id", id)
      writer.field("created", created)
      writer.field("text", text)
      writer.field("language", language)
      writer.field("likeCount", likeCount)
      writer.field("repostCount", repostCount)
      writer.field("author", author)
      writer.field("media", media)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        id: try fields.next("id"), created: try fields.next("created"),
        text: try fields.next("text"), language: try fields.next("language"),
        likeCount: try fields.next("likeCount"), repostCount: try fields.next("repostCount"),
        author: try fields.next("author"), media: try fields.next("media"))
    }
  }

  extension Feed.Post: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 40)
      writer.field("id", id)
      writer.field("created", created)
      writer.field("edited", edited)
      writer.field("text", text)
      writer.field("language", language)
      writer.field("client", client)
      writer.field("address", address)
      writer.field("title", title)
      writer.field("conversationID", conversationID)
      writer.field("replyToID", replyToID)
      writer.field("replyToAuthorID", replyToAuthorID)
      writer.field("mentionedIDs", mentionedIDs)
      writer.field("hashtags", hashtags)
      writer.field("links", links)
      writer.field("likeCount", likeCount)
      writer.field("repostCount", repostCount)
      writer.field("replyCount", replyCount)
      writer.field("quoteCount", quoteCount)
      writer.field("bookmarkCount", bookmarkCount)
      writer.field("impressionCount", impressionCount)
      writer.field("clickCount", clickCount)
      writer.field("shareCount", shareCount)
      writer.field("reportCount", reportCount)
      writer.field("rank", rank)
      writer.field("score", score)
      writer.field("latitude", latitude)
      writer.field("longitude", longitude)
      writer.field("place", place)
      writer.field("topic", topic)
      writer.field("isEdited", isEdited)
      writer.field("isPinned", isPinned)
      writer.field("isSensitive", isSensitive)
      writer.field("isLiked", isLiked)
      writer.field("isReposted", isReposted)
      writer.field("isBookmarked", isBookmarked)
      writer.field("limitsReplies", limitsReplies)
      writer.field("isPromoted", isPromoted)
      writer.field("author", author)
      writer.field("media", media)
      writer.field("quote", quote)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        id: try fields.next("id"), created: try fields.next("created"),
        edited: try fields.next("edited"), text: try fields.next("text"),
        language: try fields.next("language"), client: try fields.next("client"),
        address: try fields.next("address"), title: try fields.next("title"),
        conversationID: try fields.next("conversationID"), replyToID: try fields.next("replyToID"),
        replyToAuthorID: try fields.next("replyToAuthorID"),
        mentionedIDs: try fields.next("mentionedIDs"), hashtags: try fields.next("hashtags"),
        links: try fields.next("links"), likeCount: try fields.next("likeCount"),
        repostCount: try fields.next("repostCount"), replyCount: try fields.next("replyCount"),
        quoteCount: try fields.next("quoteCount"), bookmarkCount: try fields.next("bookmarkCount"),
        impressionCount: try fields.next("impressionCount"),
        clickCount: try fields.next("clickCount"), shareCount: try fields.next("shareCount"),
        reportCount: try fields.next("reportCount"), rank: try fields.next("rank"),
        score: try fields.next("score"), latitude: try fields.next("latitude"),
        longitude: try fields.next("longitude"), place: try fields.next("place"),
        topic: try fields.next("topic"), isEdited: try fields.next("isEdited"),
        isPinned: try fields.next("isPinned"), isSensitive: try fields.next("isSensitive"),
        isLiked: try fields.next("isLiked"), isReposted: try fields.next("isReposted"),
        isBookmarked: try fields.next("isBookmarked"),
        limitsReplies: try fields.next("limitsReplies"), isPromoted: try fields.next("isPromoted"),
        author: try fields.next("author"), media: try fields.next("media"),
        quote: try fields.next("quote"))
    }
  }

  extension Feed: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 1)
      writer.field("posts", posts)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        posts: try fields.next("posts"))
    }
  }
#endif
