#if Peers
  extension Catalogue.Area: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 2)
      writer.field("areaID", areaID)
      writer.field("blockID", blockID)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        areaID: try fields.next("areaID"), blockID: try fields.next("blockID"))
    }
  }

  extension Catalogue.SeatCategory: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 3)
      writer.field("seatCategoryID", seatCategoryID)
      writer.field("promotionID", promotionID)
      writer.field("areas", areas)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        seatCategoryID: try fields.next("seatCategoryID"),
        promotionID: try fields.next("promotionID"), areas: try fields.next("areas"))
    }
  }

  extension Catalogue.Price: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 4)
      writer.field("audienceID", audienceID)
      writer.field("seatCategoryID", seatCategoryID)
      writer.field("discountID", discountID)
      writer.field("amount", amount)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        audienceID: try fields.next("audienceID"),
        seatCategoryID: try fields.next("seatCategoryID"),
        discountID: try fields.next("discountID"), amount: try fields.next("amount"))
    }
  }

  extension Catalogue.Event: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 11)
      writer.field("id", id)
      writer.field("name", name)
      writer.field("subtitle", subtitle)
      writer.field("caption", caption)
      writer.field("logo", logo)
      writer.field("promoterID", promoterID)
      writer.field("venueID", venueID)
      writer.field("start", start)
      writer.field("topicIDs", topicIDs)
      writer.field("prices", prices)
      writer.field("seatCategories", seatCategories)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        id: try fields.next("id"), name: try fields.next("name"),
        subtitle: try fields.next("subtitle"), caption: try fields.next("caption"),
        logo: try fields.next("logo"), promoterID: try fields.next("promoterID"),
        venueID: try fields.next("venueID"), start: try fields.next("start"),
        topicIDs: try fields.next("topicIDs"), prices: try fields.next("prices"),
        seatCategories: try fields.next("seatCategories"))
    }
  }

  extension Catalogue: DocumentValue {
    func write(to writer: inout some DocumentWriter) {
      writer.beginMap(count: 12)
      writer.field("eras", eras)
      writer.field("audiences", audiences)
      writer.field("languages", languages)
      writer.field("topics", topics)
      writer.field("promoters", promoters)
      writer.field("subtopics", subtopics)
      writer.field("seatCategories", seatCategories)
      writer.field("areas", areas)
      writer.field("blocks", blocks)
      writer.field("rooms", rooms)
      writer.field("venues", venues)
      writer.field("events", events)
    }

    init(from node: some DocumentNode) throws {
      var fields = DocumentFields(of: node)
      self.init(
        eras: try fields.next("eras"), audiences: try fields.next("audiences"),
        languages: try fields.next("languages"), topics: try fields.next("topics"),
        promoters: try fields.next("promoters"), subtopics: try fields.next("subtopics"),
        seatCategories: try fields.next("seatCategories"), areas: try fields.next("areas"),
        blocks: try fields.next("blocks"), rooms: try fields.next("rooms"),
        venues: try fields.next("venues"), events: try fields.next("events"))
    }
  }
#endif
