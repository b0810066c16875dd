import Foundation

/// Orders of a shop, encoded by `Codable` alone: identifiers, dates, optional texts, an enumeration with values in an
/// array, and a dictionary of texts.
struct Orders: Codable, Equatable {
  var orders: [Order]

  struct Order: Codable, Equatable {
    var id: UUID
    var number: Int
    var placed: Date
    var shipped: Date?
    var customer: Customer
    var lines: [Line]
    var payments: [Payment]
    var labels: [String: String]
    var comment: String?
    var coupon: String?
  }

  struct Customer: Codable, Equatable {
    var id: UUID
    var name: String
    var mail: String?
    var telephone: String?
    var birthday: Date?
  }

  struct Line: Codable, Equatable {
    var article: String
    var title: String
    var count: Int
    var price: Double
    var discount: Double?
    var gift: String?
  }

  enum Payment: Codable, Equatable {
    case card(network: String, lastDigits: Int)
    case invoice(due: Date)
    case voucher(code: UUID, amount: Double)
  }
}

extension Orders {
  typealias Generator = PermutedCongruentialGenerator

  /// The first orders of the workload; the order of the draws is part of it.
  static func make(_ count: Int) -> Orders {
    var random = Generator(state: 20_261_127, stream: 7)
    return Orders(orders: (0..<count).map { order($0, &random) })
  }

  private static func order(_ number: Int, _ random: inout Generator) -> Order {
    Order(
      id: random.uuid(), number: 100_000 + number, placed: random.date(),
      shipped: random.optional { $0.date() }, customer: customer(&random),
      lines: (0..<random.number(1...6)).map { _ in line(&random) },
      payments: (0..<random.number(1...2)).map { _ in payment(&random) },
      labels: Dictionary(
        uniqueKeysWithValues: (0..<random.number(0...4)).map {
          ("label \($0)", random.words(1...3))
        }),
      comment: random.optional { $0.words(3...12) }, coupon: random.optional { $0.words(1...1) })
  }

  private static func customer(_ random: inout Generator) -> Customer {
    Customer(
      id: random.uuid(), name: random.words(2...2),
      mail: random.optional { $0.words(1...1) + "@example.org" },
      telephone: random.optional { "+49 \($0.number(100_000...999_999))" },
      birthday: random.optional { $0.date() })
  }

  private static func line(_ random: inout Generator) -> Line {
    Line(
      article: "A-\(random.number(1...99_999))", title: random.words(2...6),
      count: random.number(1...9), price: Double(random.number(99...99_999)) / 100,
      discount: random.optional { Double($0.number(1...50)) / 100 },
      gift: random.optional { $0.words(1...8) })
  }

  private static func payment(_ random: inout Generator) -> Payment {
    switch random.number(0...2) {
    case 0: .card(network: random.words(1...1), lastDigits: random.number(0...9999))
    case 1: .invoice(due: random.date())
    default: .voucher(code: random.uuid(), amount: Double(random.number(1...500)))
    }
  }

  /// The bytes of the texts, and 8 or 16 for every other value.
  var payloadSize: Int {
    var sum = 72 * orders.count
    for order in orders {
      sum += order.customer.name.utf8.count + 16 * order.payments.count
      for line in order.lines {
        sum += 24
        for text in [line.article, line.title, line.gift ?? ""] { sum += text.utf8.count }
      }
      for (name, text) in order.labels { sum += name.utf8.count + text.utf8.count }
      sum += order.comment?.utf8.count ?? 0
    }
    return sum
  }
}

extension PermutedCongruentialGenerator {
  private static let vocabulary = [
    "amber", "bridge", "copper", "delta", "ember", "fjord", "garnet", "harbour", "indigo",
    "juniper",
    "kestrel", "lantern", "meadow", "nickel", "orchard", "pebble", "quarry", "river", "saffron",
    "timber", "umbra", "velvet", "willow", "zephyr", "Köln", "naïve", "東京", "привет",
  ]

  mutating func words(_ count: ClosedRange<Int>) -> String {
    (0..<number(count)).map { _ in element(of: Self.vocabulary) }.joined(separator: " ")
  }

  mutating func uuid() -> UUID {
    let bytes = (0..<16).map { _ in nextUInt8() }
    return UUID(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8],
        bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }

  /// A whole second within some twenty years.
  mutating func date() -> Date {
    Date(timeIntervalSinceReferenceDate: Double(next32(below: 700_000_000)))
  }
}
