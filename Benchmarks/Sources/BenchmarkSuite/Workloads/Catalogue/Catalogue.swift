/// The offer of a theatre: names by number, and events with their available seats.
struct Catalogue: Codable, Equatable, Sendable {
  struct Area: Codable, Equatable, Sendable {
    var areaID: Int32 = 0
    var blockID: Int32?
  }

  struct SeatCategory: Codable, Equatable, Sendable {
    var seatCategoryID: Int32 = 0
    var promotionID: Int32?
    var areas: [Area] = []
  }

  struct Price: Codable, Equatable, Sendable {
    var audienceID: Int32 = 0
    var seatCategoryID: Int32 = 0
    var discountID: Int32?
    var amount: Int32 = 0
  }

  struct Event: Codable, Equatable, Sendable {
    var id: Int32 = 0
    var name: String = ""
    var subtitle: String?
    var caption: String?
    var logo: String?
    var promoterID: Int32?
    var venueID: Int32?
    var start: Int64 = 0
    var topicIDs: [Int32] = []
    var prices: [Price] = []
    var seatCategories: [SeatCategory] = []
  }

  var eras: [String: String] = [:]
  var audiences: [Int32: String] = [:]
  var languages: [String: String] = [:]
  var topics: [Int32: String] = [:]
  var promoters: [Int32: String] = [:]
  var subtopics: [String: [Int32]] = [:]
  var seatCategories: [String: String] = [:]
  var areas: [String: String] = [:]
  var blocks: [Int32: String] = [:]
  var rooms: [String: [Int32]] = [:]
  var venues: [String: String] = [:]
  var events: [Event] = []
}
