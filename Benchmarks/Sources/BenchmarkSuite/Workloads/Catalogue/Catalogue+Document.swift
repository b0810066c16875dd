#if Peers
  extension Catalogue.Area: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("areaID", &areaID)
      try field("blockID", &blockID)
    }
  }

  extension Catalogue.SeatCategory: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("seatCategoryID", &seatCategoryID)
      try field("promotionID", &promotionID)
      try field("areas", &areas)
    }
  }

  extension Catalogue.Price: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("audienceID", &audienceID)
      try field("seatCategoryID", &seatCategoryID)
      try field("discountID", &discountID)
      try field("amount", &amount)
    }
  }

  extension Catalogue.Event: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("id", &id)
      try field("name", &name)
      try field("subtitle", &subtitle)
      try field("caption", &caption)
      try field("logo", &logo)
      try field("promoterID", &promoterID)
      try field("venueID", &venueID)
      try field("start", &start)
      try field("topicIDs", &topicIDs)
      try field("prices", &prices)
      try field("seatCategories", &seatCategories)
    }
  }

  extension Catalogue: DocumentRecord {
    mutating func visit<Visitor: FieldVisitor>(_ field: inout Visitor) throws(Visitor.Failure) {
      try field("eras", &eras)
      try field("audiences", &audiences)
      try field("languages", &languages)
      try field("topics", &topics)
      try field("promoters", &promoters)
      try field("subtopics", &subtopics)
      try field("seatCategories", &seatCategories)
      try field("areas", &areas)
      try field("blocks", &blocks)
      try field("rooms", &rooms)
      try field("venues", &venues)
      try field("events", &events)
    }
  }
#endif
