import KeepsakeArchive

extension Catalogue.Area: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(areaID, forKey: "areaID")
    coder.encode(blockID, forKey: "blockID")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    areaID = try coder.decode(forKey: "areaID")
    blockID = try coder.decode(forKey: "blockID")
  }
}

extension Catalogue.SeatCategory: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(seatCategoryID, forKey: "seatCategoryID")
    coder.encode(promotionID, forKey: "promotionID")
    coder.encode(areas, forKey: "areas")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    seatCategoryID = try coder.decode(forKey: "seatCategoryID")
    promotionID = try coder.decode(forKey: "promotionID")
    areas = try coder.decode(forKey: "areas")
  }
}

extension Catalogue.Price: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(audienceID, forKey: "audienceID")
    coder.encode(seatCategoryID, forKey: "seatCategoryID")
    coder.encode(discountID, forKey: "discountID")
    coder.encode(amount, forKey: "amount")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    audienceID = try coder.decode(forKey: "audienceID")
    seatCategoryID = try coder.decode(forKey: "seatCategoryID")
    discountID = try coder.decode(forKey: "discountID")
    amount = try coder.decode(forKey: "amount")
  }
}

extension Catalogue.Event: ArchiveRecord {
  func encode(to coder: inout ObjectEncoder) {
    coder.encode(id, forKey: "id")
    coder.encode(name, forKey: "name")
    coder.encode(subtitle, forKey: "subtitle")
    coder.encode(caption, forKey: "caption")
    coder.encode(logo, forKey: "logo")
    coder.encode(promoterID, forKey: "promoterID")
    coder.encode(venueID, forKey: "venueID")
    coder.encode(start, forKey: "start")
    coder.encode(topicIDs, forKey: "topicIDs")
    coder.encode(prices, forKey: "prices")
    coder.encode(seatCategories, forKey: "seatCategories")
  }

  init(from coder: borrowing ObjectDecoder) throws(ArchiveError) {
    id = try coder.decode(forKey: "id")
    name = try coder.decode(forKey: "name")
    subtitle = try coder.decode(forKey: "subtitle")
    caption = try coder.decode(forKey: "caption")
    logo = try coder.decode(forKey: "logo")
    promoterID = try coder.decode(forKey: "promoterID")
    venueID = try coder.decode(forKey: "venueID")
    start = try coder.decode(forKey: "start")
    topicIDs = try coder.decode(forKey: "topicIDs")
    prices = try coder.decode(forKey: "prices")
    seatCategories = try coder.decode(forKey: "seatCategories")
  }
}

extension Catalogue {
  /// An archive with one object.
  func archive() throws -> [UInt8] {
    try SingleObject.archive { coder in
      coder.encode(eras, forKey: "eras")
      coder.encode(audiences, forKey: "audiences")
      coder.encode(languages, forKey: "languages")
      coder.encode(topics, forKey: "topics")
      coder.encode(promoters, forKey: "promoters")
      coder.encode(subtopics, forKey: "subtopics")
      coder.encode(seatCategories, forKey: "seatCategories")
      coder.encode(areas, forKey: "areas")
      coder.encode(blocks, forKey: "blocks")
      coder.encode(rooms, forKey: "rooms")
      coder.encode(venues, forKey: "venues")
      coder.encode(events, forKey: "events")
    }
  }

  init(unarchiving bytes: [UInt8]) throws {
    let archive = try Archive(bytes)
    let root = try archive.object(archive.rootID)
    eras = try root.decode(forKey: "eras")
    audiences = try root.decode(forKey: "audiences")
    languages = try root.decode(forKey: "languages")
    topics = try root.decode(forKey: "topics")
    promoters = try root.decode(forKey: "promoters")
    subtopics = try root.decode(forKey: "subtopics")
    seatCategories = try root.decode(forKey: "seatCategories")
    areas = try root.decode(forKey: "areas")
    blocks = try root.decode(forKey: "blocks")
    rooms = try root.decode(forKey: "rooms")
    venues = try root.decode(forKey: "venues")
    events = try root.decode(forKey: "events")
  }
}
