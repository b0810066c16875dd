import BenchmarkHarness

#if FORY
  import Fory

  /// The code that Apache Fory generates for the types of this workload.
  enum ForyCatalogue {
    @ForyStruct(target: Catalogue.Area.self)
    struct AreaSerializer {
      var areaID: Int32
      var blockID: Int32?
    }

    @ForyStruct(target: Catalogue.SeatCategory.self)
    struct SeatCategorySerializer {
      var seatCategoryID: Int32
      var promotionID: Int32?
      @ListField(element: .with(AreaSerializer.self))
      var areas: [Catalogue.Area]
    }

    @ForyStruct(target: Catalogue.Price.self)
    struct PriceSerializer {
      var audienceID: Int32
      var seatCategoryID: Int32
      var discountID: Int32?
      var amount: Int32
    }

    @ForyStruct(target: Catalogue.Event.self)
    struct EventSerializer {
      var id: Int32
      var name: String
      var subtitle: String?
      var caption: String?
      var logo: String?
      var promoterID: Int32?
      var venueID: Int32?
      var start: Int64
      var topicIDs: [Int32]
      @ListField(element: .with(PriceSerializer.self))
      var prices: [Catalogue.Price]
      @ListField(element: .with(SeatCategorySerializer.self))
      var seatCategories: [Catalogue.SeatCategory]
    }

    @ForyStruct(target: Catalogue.self)
    struct RootSerializer {
      var eras: [String: String]
      var audiences: [Int32: String]
      var languages: [String: String]
      var topics: [Int32: String]
      var promoters: [Int32: String]
      var subtopics: [String: [Int32]]
      var seatCategories: [String: String]
      var areas: [String: String]
      var blocks: [Int32: String]
      var rooms: [String: [Int32]]
      var venues: [String: String]
      @ListField(element: .with(EventSerializer.self))
      var events: [Catalogue.Event]
    }

    static func register(with fory: Fory) throws {
      try fory.register(AreaSerializer.self, id: 1)
      try fory.register(SeatCategorySerializer.self, id: 2)
      try fory.register(PriceSerializer.self, id: 3)
      try fory.register(EventSerializer.self, id: 4)
      try fory.register(RootSerializer.self, id: 5)
    }
  }
#endif

extension Contenders where Value == Catalogue {
  /// Apache Fory Swift, if the build was given its checkout.
  func rivals() -> [Benchmark] {
    #if FORY
      return fory(
        register: ForyCatalogue.register,
        encode: { try $0.serialize($1, with: ForyCatalogue.RootSerializer.self) },
        decode: { try $0.deserialize($1, with: ForyCatalogue.RootSerializer.self) })
    #else
      return []
    #endif
  }
}
