extension Catalogue.Area {
  var message: PBCatalogueArea {
    var message = PBCatalogueArea()
    message.areaID = areaID
    if let blockID { message.blockID = blockID }
    return message
  }

  init(_ message: PBCatalogueArea) {
    self.init(
      areaID: message.areaID,
      blockID: message.hasBlockID ? message.blockID : nil)
  }
}

extension Catalogue.SeatCategory {
  var message: PBCatalogueSeatCategory {
    var message = PBCatalogueSeatCategory()
    message.seatCategoryID = seatCategoryID
    if let promotionID { message.promotionID = promotionID }
    message.areas = areas.map(\.message)
    return message
  }

  init(_ message: PBCatalogueSeatCategory) {
    self.init(
      seatCategoryID: message.seatCategoryID,
      promotionID: message.hasPromotionID ? message.promotionID : nil,
      areas: message.areas.map { Catalogue.Area($0) })
  }
}

extension Catalogue.Price {
  var message: PBCataloguePrice {
    var message = PBCataloguePrice()
    message.audienceID = audienceID
    message.seatCategoryID = seatCategoryID
    if let discountID { message.discountID = discountID }
    message.amount = amount
    return message
  }

  init(_ message: PBCataloguePrice) {
    self.init(
      audienceID: message.audienceID,
      seatCategoryID: message.seatCategoryID,
      discountID: message.hasDiscountID ? message.discountID : nil,
      amount: message.amount)
  }
}

extension Catalogue.Event {
  var message: PBCatalogueEvent {
    var message = PBCatalogueEvent()
    message.id = id
    message.name = name
    if let subtitle { message.subtitle = subtitle }
    if let caption { message.caption = caption }
    if let logo { message.logo = logo }
    if let promoterID { message.promoterID = promoterID }
    if let venueID { message.venueID = venueID }
    message.start = start
    message.topicIds = topicIDs
    message.prices = prices.map(\.message)
    message.seatCategories = seatCategories.map(\.message)
    return message
  }

  init(_ message: PBCatalogueEvent) {
    self.init(
      id: message.id,
      name: message.name,
      subtitle: message.hasSubtitle ? message.subtitle : nil,
      caption: message.hasCaption ? message.caption : nil,
      logo: message.hasLogo ? message.logo : nil,
      promoterID: message.hasPromoterID ? message.promoterID : nil,
      venueID: message.hasVenueID ? message.venueID : nil,
      start: message.start,
      topicIDs: message.topicIds,
      prices: message.prices.map { Catalogue.Price($0) },
      seatCategories: message.seatCategories.map { Catalogue.SeatCategory($0) })
  }
}

extension Catalogue: MessageConvertible {
  var message: PBCatalogue {
    var message = PBCatalogue()
    message.eras = eras
    message.audiences = audiences
    message.languages = languages
    message.topics = topics
    message.promoters = promoters
    message.subtopics = subtopics.mapValues { PBIdentifiers($0) }
    message.seatCategories = seatCategories
    message.areas = areas
    message.blocks = blocks
    message.rooms = rooms.mapValues { PBIdentifiers($0) }
    message.venues = venues
    message.events = events.map(\.message)
    return message
  }

  init(_ message: PBCatalogue) {
    self.init(
      eras: message.eras,
      audiences: message.audiences,
      languages: message.languages,
      topics: message.topics,
      promoters: message.promoters,
      subtopics: message.subtopics.mapValues(\.numbers),
      seatCategories: message.seatCategories,
      areas: message.areas,
      blocks: message.blocks,
      rooms: message.rooms.mapValues(\.numbers),
      venues: message.venues,
      events: message.events.map { Catalogue.Event($0) })
  }
}

extension PBIdentifiers {
  fileprivate init(_ numbers: [Int32]) {
    self.numbers = numbers
  }
}
