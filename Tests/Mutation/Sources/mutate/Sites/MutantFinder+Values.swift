import SwiftSyntax

extension MutantFinder {
  func findOtherNumbers(for node: IntegerLiteralExprSyntax) {
    let digits = node.literal.text.filter { $0 != "_" }
    let kind: MutantKind = isDefaultValue(node) ? .default : .constant
    if digits.hasPrefix("0o"), let bits = UInt64(digits.dropFirst(2), radix: 8) {
      // Permission bits: the mutant makes the file readable by everyone.
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
    // If the member is a method, the whole call is written twice, with its arguments.
    let whole = outermostCall(of: ExprSyntax(node))
    let part = range(whole)
    let mutated =
      text(part.lowerBound..<name.lowerBound) + other + text(name.upperBound..<part.upperBound)
    add(.member, at: part, .either(mutated), shown: mutated)
  }

  /// True when the opposite member takes the same arguments, and has a result that fits.
  private func hasOther(_ node: MemberAccessExprSyntax) -> Bool {
    let call = node.parent?.as(FunctionCallExprSyntax.self)
    return switch node.declName.baseName.text {
    // A closure, or a label, makes these methods that have no opposite.
    case "prefix", "suffix":
      call.map { $0.trailingClosure == nil && $0.arguments.first?.label == nil } ?? false
    // The results of `insert` and `remove` have different types.
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

  /// Finds two arguments that may change places: neighbours of any type, and others of one type.
  func findArguments(in call: FunctionCallExprSyntax) {
    let arguments = Array(call.arguments)
    let types = arguments.indices.map { parameter(at: $0, of: call)?.type }
    // Messages, closures and implicit members, such as `.x`, do not change places, unless the type of the parameter
    // is known.
    let isFixed = { (index: Int) in
      let expression = arguments[index].expression
      return expression.is(StringLiteralExprSyntax.self) || expression.is(ClosureExprSyntax.self)
        || expression.is(InOutExprSyntax.self)
        || types[index] == nil
          && expression.as(MemberAccessExprSyntax.self).map { $0.base == nil } == true
    }
    for left in arguments.indices where !isFixed(left) {
      for right in arguments.indices.dropFirst(left + 1) where !isFixed(right) {
        let areAlike = types[left] != nil && types[left] == types[right]
        let (first, second) = (
          range(arguments[left].expression), range(arguments[right].expression)
        )
        guard areAlike || right == left + 1, text(first) != text(second) else { continue }
        // Arguments that are known to have two types do not compile in the other order.
        if !areAlike, types[left] != nil, types[right] != nil { continue }
        let part = range(call)
        let mutated =
          text(part.lowerBound..<first.lowerBound) + text(second)
          + text(first.upperBound..<second.lowerBound) + text(first)
          + text(second.upperBound..<part.upperBound)
        replace(.arguments, at: part, by: mutated)
      }
    }
  }

  /// Finds values that the callee may not get: it gets its default instead, or an empty value.
  func findValuesNotPassed(in call: FunctionCallExprSyntax) {
    let arguments = Array(call.arguments)
    for (index, argument) in arguments.enumerated() {
      let expression = argument.expression
      guard !expression.is(StringLiteralExprSyntax.self), !expression.is(ClosureExprSyntax.self),
        let parameter = parameter(at: index, of: call)
      else { continue }
      let (part, value) = (range(call), range(expression))
      if parameter.hasDefault {
        // Removes the comma before the argument too, or after it if it is the first one.
        let start =
          index > 0 ? range(arguments[index - 1].expression).upperBound : range(argument).lowerBound
        let next = index == 0 && arguments.count > 1 ? range(arguments[1]).lowerBound : nil
        let mutated =
          text(part.lowerBound..<start) + text((next ?? value.upperBound)..<part.upperBound)
        replace(.passing, at: part, by: mutated)
      } else if let empty = parameter.emptyValue, empty != text(value) {
        replace(.passing, at: value, by: empty)
      }
    }
  }

  private func parameter(
    at index: Int, of call: FunctionCallExprSyntax
  ) -> Signatures.Parameter? {
    guard let function = lastName(of: call.calledExpression) else { return nil }
    let argument = call.arguments[call.arguments.index(call.arguments.startIndex, offsetBy: index)]
    return signatures.parameter(of: function, label: argument.label?.text, at: index)
  }

  func isDefaultValue(_ node: some ExprSyntaxProtocol) -> Bool {
    node.parent?.parent?.is(FunctionParameterSyntax.self) ?? false
  }
}
