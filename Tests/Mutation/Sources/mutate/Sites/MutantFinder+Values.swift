import SwiftSyntax

extension MutantFinder {
  func findOtherNumbers(for node: IntegerLiteralExprSyntax) {
    let digits = node.literal.text.filter { $0 != "_" }
    let kind: MutantKind = isDefaultValue(node) ? .default : .constant
    if digits.hasPrefix("0o"), let bits = UInt64(digits.dropFirst(2), radix: 8) {
      // Permission bits: readable by everyone is what should never happen.
      replace(.flag, node, by: "0o" + String(bits ^ 0o044, radix: 8))
    } else if digits.hasPrefix("0x"), let bits = UInt64(digits.dropFirst(2), radix: 16) {
      replace(kind, node, by: "0x" + String(bits ^ 1, radix: 16))
    } else if let number = UInt64(digits), number < .max {
      replace(kind, node, by: String(number + 1))
      if number > 1 { replace(kind, node, by: String(number - 1)) }
    }
  }

  /// Each member of a short literal may be missing.
  func findFlags(in node: ArrayExprSyntax) {
    let elements = Array(node.elements)
    guard (1...6).contains(elements.count),
      elements.allSatisfy({ $0.expression.is(MemberAccessExprSyntax.self) })
    else { return }
    for missing in elements.indices {
      let rest = elements.indices.filter { $0 != missing }
        .map { text(range(elements[$0].expression)) }
      replace(.flag, node, by: "[" + rest.joined(separator: ", ") + "]")
    }
  }

  func findOtherMembers(of node: MemberAccessExprSyntax) {
    guard node.base != nil, let other = OperatorTables.members[node.declName.baseName.text] else {
      return
    }
    guard hasOther(node) else { return }
    let name = range(node.declName.baseName)
    // A method is called: the whole call is written twice, with everything that it is given.
    let whole = outermostCall(of: ExprSyntax(node))
    let part = range(whole)
    let mutated =
      text(part.lowerBound..<name.lowerBound) + other + text(name.upperBound..<part.upperBound)
    add(.member, at: part, .either(mutated), shown: mutated)
  }

  /// Whether the opposite member takes what this one is given, and gives what is then used.
  private func hasOther(_ node: MemberAccessExprSyntax) -> Bool {
    let call = node.parent?.as(FunctionCallExprSyntax.self)
    return switch node.declName.baseName.text {
    // A closure, or a label, makes these methods that have no opposite.
    case "prefix", "suffix":
      call.map { $0.trailingClosure == nil && $0.arguments.first?.label == nil } ?? false
    // What a set says of what it took in is another thing than what it gave away.
    case "insert":
      call?.arguments.count == 1 && call?.parent?.is(MemberAccessExprSyntax.self) == false
    default: true
    }
  }

  private func outermostCall(of expression: ExprSyntax) -> ExprSyntax {
    if let call = expression.parent?.as(FunctionCallExprSyntax.self),
      call.calledExpression == expression
    {
      return ExprSyntax(call)
    }
    return expression
  }

  func findArguments(in list: LabeledExprListSyntax) {
    guard list.parent?.is(FunctionCallExprSyntax.self) == true else { return }
    let arguments = Array(list)
    for (left, right) in zip(arguments, arguments.dropFirst()) {
      let (first, second) = (range(left.expression), range(right.expression))
      guard text(first) != text(second), let call = list.parent else { continue }
      // Messages, closures and what is of a type that only its parameter names do not change places with
      // anything.
      let isFixed = { (expression: ExprSyntax) in
        expression.is(StringLiteralExprSyntax.self) || expression.is(ClosureExprSyntax.self)
          || expression.is(InOutExprSyntax.self)
          || expression.as(MemberAccessExprSyntax.self).map { $0.base == nil } == true
      }
      guard !isFixed(left.expression), !isFixed(right.expression) else { continue }
      let part = range(call)
      let mutated =
        text(part.lowerBound..<first.lowerBound) + text(second)
        + text(first.upperBound..<second.lowerBound) + text(first)
        + text(second.upperBound..<part.upperBound)
      add(.arguments, at: part, .either(mutated), shown: mutated)
    }
  }

  func isDefaultValue(_ node: some ExprSyntaxProtocol) -> Bool {
    node.parent?.parent?.is(FunctionParameterSyntax.self) ?? false
  }
}
