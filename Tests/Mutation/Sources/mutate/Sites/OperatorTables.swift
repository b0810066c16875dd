/// The replacements of operators and members in mutants.
enum OperatorTables {
  /// The precedence of a binary operator in the standard library; a larger number binds tighter.
  ///
  /// Only operators that bind at least as tightly as the changed one belong to the part that is written twice.
  static func tightness(of name: String) -> Int {
    switch name {
    case "*", "/", "%", "&*", "&": 9
    case "<<", ">>", "&<<", "&>>": 10
    case "+", "-", "&+", "&-", "|", "^": 8
    case "..<", "...": 7
    case "as", "as?", "is": 6
    case "??": 5
    case "<", "<=", ">", ">=", "==", "!=", "===", "!==", "~=": 4
    case "&&": 3
    case "||": 2
    case "?:": 1
    default: 0
    }
  }

  static let bounds = ["<": "<=", "<=": "<", ">": ">=", ">=": ">"]

  static let operations = [
    "==": "!=", "!=": "==", "===": "!==", "!==": "===", "&&": "||", "||": "&&", "+": "-", "-": "+",
    "*": "+", "/": "*", "%": "/", "&+": "&-", "&-": "&+", "&*": "&+", "<<": ">>", ">>": "<<",
    "&<<": "&>>", "&>>": "&<<", "&": "|", "^": "|",
  ]

  static let assignments = [
    "+=": "-=", "-=": "+=", "*=": "+=", "&+=": "&-=", "&-=": "&+=", "|=": "&=", "&=": "|=",
    "^=": "|=", "<<=": ">>=", ">>=": "<<=",
  ]

  static let members = [
    "first": "last", "last": "first", "min": "max", "max": "min", "prefix": "suffix",
    "suffix": "prefix", "dropFirst": "dropLast", "dropLast": "dropFirst",
    "lowerBound": "upperBound", "upperBound": "lowerBound", "startIndex": "endIndex",
    "endIndex": "startIndex", "hasPrefix": "hasSuffix", "hasSuffix": "hasPrefix",
    "leadingZeroBitCount": "trailingZeroBitCount", "insert": "remove", "union": "intersection",
    "allSatisfy": "contains", "firstIndex": "lastIndex",
    "removeFirst": "removeLast", "removeLast": "removeFirst",
  ]
}
