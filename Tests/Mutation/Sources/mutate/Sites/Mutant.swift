/// The kind of mistake that a mutant imitates.
enum MutantKind: String, CaseIterable, Sendable {
  /// A condition that is negated.
  case condition
  /// A check that is skipped: a `guard` that always passes, an `if` that never refuses.
  case check
  /// A comparison or a range that is off by one.
  case bound
  /// An arithmetic or logical operator that is replaced by another one.
  case operation
  /// A literal that is replaced by another one.
  case constant
  /// A statement that is left out.
  case statement
  /// A statement with `try` that is left out.
  case `throw`
  /// Two effects, or an effect and a check, branch or loop, in the other order.
  case order
  /// Two arguments of one call that change places.
  case arguments
  /// A default value that is replaced by another one, or is always used.
  case `default`
  /// A function that returns before it does anything.
  case `return`
  /// A flag that is missing, or other permission bits.
  case flag
  /// A `break` in place of a `continue`, or the other way round.
  case loop
  /// A member that is the opposite one, such as `first` for `last`.
  case member
  /// A comparison of identity that always finds two things the same.
  case identity
  /// The default, nil or an empty value, passed instead of a value.
  case passing
  /// A comparison that accepts a prefix in place of the whole.
  case prefix
}

/// One small change of one place of one file, as text.
struct Mutant: Sendable {
  /// The path from the root of the package.
  let path: String
  let kind: MutantKind
  /// The changed part of the file, in UTF-8 offsets.
  let range: Range<Int>
  let line: Int
  /// The number of bytes before it in its line.
  let column: Int
  /// The declaration around the place, such as `Store.save(_:)`.
  let declaration: String
  /// The range of the innermost of these declarations in the file, in UTF-8 offsets.
  let scope: Range<Int>
  /// The line of the file in which the part begins, without the space around it.
  let lineText: String
  /// The original code and the changed code, shortened for messages.
  let original: String
  let mutated: String
  /// The number of this mutant among those that look like it in all declarations of its name, and their count.
  var twin = Twin(number: 1, count: 1)
  /// The form in which the part is wrapped, so that the process decides which code runs.
  let form: Form

  struct Twin: Equatable {
    var number: Int
    var count: Int
  }

  /// The identity of a mutant in one state of the sources.
  struct Site: Hashable {
    let path: String
    let kind: MutantKind
    let range: Range<Int>
    let form: Form
  }

  var site: Site { Site(path: path, kind: kind, range: range, form: form) }

  enum Form: Hashable, Sendable {
    /// `(switch ? (mutated) : (original))`
    case either(String)
    /// `(switch != (original))`
    case negation
    /// `if !switch { original }`
    case removal
    /// `if switch { mutated } else { original }`
    case statements(String)
    /// `if switch { mutated }` before the original
    case insertion(String)
  }

  /// The text before and after the original, when the mutant has a number.
  func wrapping(number: Int) -> (before: String, after: String) {
    let isActive = "\(SwitchFile.functionName)(\(number))"
    return switch form {
    case .either(let mutated): ("(\(isActive) ? (\(mutated)) : (", "))")
    case .negation: ("(\(isActive) != (", "))")
    case .removal: ("if !\(isActive) { ", " }")
    case .statements(let mutated): ("if \(isActive) { \(mutated) } else { ", " }")
    case .insertion(let mutated): ("if \(isActive) { \(mutated) }; ", "")
    }
  }
}

extension String {
  /// The text in one line, shortened if it is long; line breaks of the source do not change it.
  func shortened(to length: Int = 72) -> String {
    var line = split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for bracket in ["(", "["] { line = line.replacing(bracket + " ", with: bracket) }
    for bracket in [")", "]"] { line = line.replacing(" " + bracket, with: bracket) }
    return line.count <= length ? line : line.prefix(length - 1) + "…"
  }
}
