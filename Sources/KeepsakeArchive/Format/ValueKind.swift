/// The kinds of value (Spec/archive.md, 5.1).
///
/// 11 (conditional reference), 15 (set), 16 (enumeration), 17 (rows) and 19 to 31 are kept free.
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
  case record = 12
  case array = 13
  case dictionary = 14
  case any = 18
}
