import SwiftSyntax

extension MutantFinder {
  /// Finds the mutants of a chain of operators, which the parser leaves flat.
  ///
  /// The part that a mutant writes twice is as small as precedence allows, so that the compiler's work stays small.
  func findOperators(in sequence: SequenceExprSyntax) {
    let elements = Array(sequence.elements)
    let names = elements.map(operatorName)
    for (index, name) in names.enumerated() {
      guard let name else { continue }
      let element = elements[index]
      if let other = OperatorTables.assignments[name] {
        replaceAssignment(elements, operatorAt: index, by: other)
        continue
      }
      let tightness = OperatorTables.tightness(of: name)
      guard tightness > 1 else { continue }
      let isOutside = { (name: String?) in
        name.map { OperatorTables.tightness(of: $0) < tightness } ?? false
      }
      let first = names[..<index].lastIndex(where: isOutside).map { $0 + 1 } ?? 0
      let last = (names[(index + 1)...].firstIndex(where: isOutside) ?? names.count) - 1
      let part = range(elements[first]).lowerBound..<range(elements[last]).upperBound
      func replaceOperator(_ kind: MutantKind, by other: String) {
        let mutated =
          text(part.lowerBound..<range(element).lowerBound) + other
          + text(range(element).upperBound..<part.upperBound)
        add(kind, at: part, .either(mutated), shown: mutated)
      }
      if let other = OperatorTables.bounds[name] { replaceOperator(.bound, by: other) }
      let isText = name == "+" && text(part).contains("\"")
      if !isText, let other = OperatorTables.operations[name] {
        replaceOperator(.operation, by: other)
      }
      findIdentity(of: elements[index - 1], name, elements[index + 1], at: part)
      let left = text(part.lowerBound..<range(elements[index - 1]).upperBound)
      let right = text(range(elements[index + 1]).lowerBound..<part.upperBound)
      switch name {
      case "|":
        // Each operand of a chain may be missing; the first one goes with the first operator.
        let rest = text(range(elements[index + 1]).upperBound..<part.upperBound)
        add(.flag, at: part, .either(left + rest), shown: left + rest)
        if index - 1 == first { add(.flag, at: part, .either(right), shown: right) }
      case "==" where areLikelyTexts(elements[index - 1], elements[index + 1]):
        replace(.prefix, at: part, by: "(\(left)).starts(with: \(right))")
      case "!=" where areLikelyTexts(elements[index - 1], elements[index + 1]):
        replace(.prefix, at: part, by: "!(\(left)).starts(with: \(right))")
      case "??":
        add(.default, at: part, .either(right), shown: right)
      case "..<", "...":
        for step in ["- 1", "+ 1"] {
          let mutated = "\(left)\(name)((\(right)) \(step))"
          add(.bound, at: part, .either(mutated), shown: mutated)
        }
      default: break
      }
    }
  }

  private func operatorName(of element: ExprSyntax) -> String? {
    if let binary = element.as(BinaryOperatorExprSyntax.self) { return binary.operator.text }
    if element.is(AssignmentExprSyntax.self) { return "=" }
    if element.is(UnresolvedTernaryExprSyntax.self) { return "?:" }
    if element.is(UnresolvedAsExprSyntax.self) || element.is(UnresolvedIsExprSyntax.self) {
      return "as"
    }
    return nil
  }

  private func replaceAssignment(_ elements: [ExprSyntax], operatorAt index: Int, by other: String)
  {
    guard index == 1, let statement = elements[index].parent?.parent?.parent,
      statement.is(CodeBlockItemSyntax.self), let last = elements.last
    else { return }
    let whole = range(elements[0]).lowerBound..<range(last).upperBound
    let mutated =
      text(whole.lowerBound..<range(elements[index]).lowerBound) + other
      + text(range(elements[index]).upperBound..<whole.upperBound)
    add(.operation, at: whole, .statements(mutated), shown: mutated)
  }
}
