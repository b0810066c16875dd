/// The kinds of value (Spec/archive.md, 5.1).
///
/// 17 and 19 to 31 are kept free.
enum ValueKind: UInt8 {
  case null = 0
  case bool = 1
  case signed = 2
  case unsigned = 3
  case floatingPoint = 4
  case string = 5
  case bytes = 6
  case date = 7
  case uuid = 8
  case url = 9
  case reference = 10
  case conditionalReference = 11
  case record = 12
  case array = 13
  case dictionary = 14
  case set = 15
  case enumeration = 16
  case any = 18
}
