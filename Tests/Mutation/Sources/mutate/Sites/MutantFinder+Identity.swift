import Foundation
import SwiftSyntax

extension MutantFinder {
  /// Names of properties that identify a thing.
  private static let identifiers: Set = [
    "address", "device", "generation", "id", "identifier", "inode", "objectID", "owner", "uid",
    "userID",
  ]

  /// Methods that tell whether two things are the same, or one is as expected.
  private static let comparisons: Set = [
    "isCounterpart", "isEqual", "isIdentical", "isOfUser", "isPlaced", "isSame", "isSameFile",
    "isUnchanged",
  ]

  /// Finds a comparison by an operator that could always find two things the same.
  func findIdentity(
    of left: ExprSyntax, _ name: String, _ right: ExprSyntax, at part: Range<Int>
  ) {
    if let value = sameness(of: left, name, right) { replace(.identity, at: part, by: value) }
  }

  /// Finds a comparison by a method that could always find two things the same.
  func findIdentity(in call: FunctionCallExprSyntax) {
    if isComparison(call) { replace(.identity, call, by: "true") }
  }

  /// The replacement of a condition that compares the identity of two things; nil for any other condition.
  func sameness(of condition: ExprSyntax) -> String? {
    if let marked = condition.as(TryExprSyntax.self) { return sameness(of: marked.expression) }
    if let call = condition.as(FunctionCallExprSyntax.self) {
      return isComparison(call) ? "true" : nil
    }
    guard let elements = condition.as(SequenceExprSyntax.self).map({ Array($0.elements) }),
      elements.count == 3, let name = elements[1].as(BinaryOperatorExprSyntax.self)?.operator.text
    else { return nil }
    return sameness(of: elements[0], name, elements[2])
  }

  private func sameness(of left: ExprSyntax, _ name: String, _ right: ExprSyntax) -> String? {
    switch name {
    case "===": "true"
    case "!==": "false"
    case "==" where isIdentifier(left) && isIdentifier(right): "true"
    case "!=" where isIdentifier(left) && isIdentifier(right): "false"
    default: nil
    }
  }

  private func isComparison(_ call: FunctionCallExprSyntax) -> Bool {
    call.calledExpression.as(MemberAccessExprSyntax.self)
      .map { Self.comparisons.contains($0.declName.baseName.text) } ?? false
  }

  /// True when an expression may identify a thing: it has such a name, and is no literal.
  private func isIdentifier(_ expression: ExprSyntax) -> Bool {
    if let call = expression.as(FunctionCallExprSyntax.self) {
      let name = lastName(of: call.calledExpression)
      return name == "ObjectIdentifier" || name == "getuid" || name == "geteuid"
    }
    guard let name = lastName(of: expression) else { return false }
    return name.hasSuffix("ID")
      || Self.identifiers.contains { name == $0 || name.hasSuffix($0.capitalized) }
  }

  /// The name that an expression ends with: `c` of `a.b.c` and of `a?.c`.
  func lastName(of expression: ExprSyntax) -> String? {
    if let member = expression.as(MemberAccessExprSyntax.self) {
      return member.declName.baseName.text
    }
    return expression.as(DeclReferenceExprSyntax.self)?.baseName.text
  }
}

// A prefix in place of the whole.
extension MutantFinder {
  /// Names that are mostly of texts or lists; a mutant of another type does not compile.
  private static let textNames = [
    "bytes", "components", "contents", "digest", "key", "name", "names", "path", "string", "suffix",
    "text", "title",
  ]

  /// True when two operands are probably texts or lists of bytes.
  func areLikelyTexts(_ left: ExprSyntax, _ right: ExprSyntax) -> Bool {
    let both = [left, right]
    return both.contains(where: isLikelyText)
      && !both.contains {
        $0.is(NilLiteralExprSyntax.self)
          || $0.as(MemberAccessExprSyntax.self).map { $0.base == nil } == true
      }
  }

  private func isLikelyText(_ expression: ExprSyntax) -> Bool {
    if let literal = expression.as(StringLiteralExprSyntax.self) {
      return !literal.segments.trimmedDescription.isEmpty
    }
    guard let name = lastName(of: expression)?.lowercased() else { return false }
    return Self.textNames.contains { name.hasSuffix($0) }
  }

  /// Finds a prefix whose end could be left out, so that more texts match.
  func findPrefix(in call: FunctionCallExprSyntax) {
    guard let name = lastName(of: call.calledExpression), ["hasPrefix", "starts"].contains(name),
      call.arguments.count == 1,
      let elements = call.arguments.first?.expression.as(SequenceExprSyntax.self)
        .map({ Array($0.elements) }),
      elements.count >= 3,
      elements[elements.count - 2].as(BinaryOperatorExprSyntax.self)?.operator.text == "+"
    else { return }
    let start = range(elements[0]).lowerBound
    let rest = text(start..<range(elements[elements.count - 3]).upperBound)
    replace(.prefix, at: start..<range(elements[elements.count - 1]).upperBound, by: rest)
  }
}
