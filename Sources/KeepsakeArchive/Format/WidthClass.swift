/// How many bytes a slot takes (Spec/archive.md, 5.1).
///
/// By its class a value of an unknown kind can be skipped. Class 7 is reserved.
enum WidthClass: UInt8 {
  case none = 0
  case one = 1
  case two = 2
  case four = 3
  case eight = 4
  case sixteen = 5
  /// A payload of any length, of which only the end is stated.
  case variable = 6

  /// The bytes that a slot of this class takes; in an array the end of a payload takes four.
  var byteCount: Int {
    switch self {
    case .none: 0
    case .one: 1
    case .two: 2
    case .four, .variable: 4
    case .eight: 8
    case .sixteen: 16
    }
  }
}
