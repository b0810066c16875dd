/// A view of an interface as a value: eight keys, one of which holds the nested views.
struct ViewRecord: Codable, Equatable, Sendable {
  struct Frame: Codable, Equatable, Sendable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
  }

  var identifier: String
  var frame: Frame
  var background: String
  var alpha: Double
  var isHidden: Bool
  var tag: Int64
  var text: String?
  var children: [ViewRecord]
}

extension ViewRecord {
  /// The size of the values in bytes, with one byte for each optional.
  var payloadSize: Int {
    children.reduce(
      identifier.utf8.count + 32 + background.utf8.count + 8 + 1 + 8 + 1 + (text?.utf8.count ?? 0)
    ) { $0 + $1.payloadSize }
  }

  var count: Int { children.reduce(1) { $0 + $1.count } }

  /// The expected sum of a lazy reader of three numbers of each view.
  var sum: Double {
    children.reduce(alpha + Double(tag) + (isHidden ? 1 : 0)) { $0 + $1.sum }
  }
}
