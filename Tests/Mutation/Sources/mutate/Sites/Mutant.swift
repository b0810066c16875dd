/// What kind of mistake a mutant imitates.
enum MutantKind: String, CaseIterable, Sendable {
  /// A condition that is negated.
  case condition
  /// A check that is skipped: a `guard` that always passes, an `if` that never refuses.
  case check
  /// A comparison or a range that is off by one.
  case bound
  /// An arithmetic or logical operator that is another one.
  case operation
  /// A literal that is another one.
  case constant
  /// A statement that is left out.
  case statement
  /// A statement with `try` that is left out.
  case `throw`
  /// Two effects, or an effect and what decides on going on, in the other order.
  case order
  /// Two arguments of one call that change places.
  case arguments
  /// A default value that is another one, or is always taken.
  case `default`
  /// A function that returns before it does anything.
  case `return`
  /// A flag that is missing, or other permission bits.
  case flag
  /// A loop that goes on instead of ending, or ends instead of going on.
  case loop
  /// A member that is the opposite one, such as `first` for `last`.
  case member
  /// Two things that are taken for the same, or an expectation that is taken for met.
  case identity
  /// A value that is not passed on: the default, nil or an empty value is.
  case passing
  /// A prefix that is enough where the whole is asked for.
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
  /// How many bytes of its line come before it.
  let column: Int
  /// The declaration around the place, such as `Store.save(_:)`.
  let declaration: String
  /// The part of the file that the innermost of these declarations takes, in UTF-8 offsets.
  let scope: Range<Int>
  /// The line of the file that the part begins on, without the space around it.
  let lineText: String
  /// What stands there, and what the mutant has in its place, to be read by people.
  let original: String
  let mutated: String
  /// Which of the mutants that look like this one in all declarations of its name it is, and of how many.
  var twin = Twin(number: 1, count: 1)
  /// How the part is wrapped so that the process decides which of both runs.
  let form: Form

  struct Twin: Equatable {
    var number: Int
    var count: Int
  }

  /// What tells one mutant from every other one.
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
    /// `if switch { mutated }` before what stands there
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
  /// The text in one line, cut where it is long, the same however its lines were broken.
  func shortened(to length: Int = 72) -> String {
    var line = split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for bracket in ["(", "["] { line = line.replacing(bracket + " ", with: bracket) }
    for bracket in [")", "]"] { line = line.replacing(" " + bracket, with: bracket) }
    return line.count <= length ? line : line.prefix(length - 1) + "…"
  }
}
