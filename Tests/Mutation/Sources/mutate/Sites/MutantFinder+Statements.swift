import SwiftSyntax

extension MutantFinder {
  func findStatements(in list: CodeBlockItemListSyntax) {
    let items = Array(list)
    let givesValue = items.count == 1 && isValue(list)
    for item in items {
      let part = range(item.item)
      if let exit = item.item.as(BreakStmtSyntax.self), exit.label == nil, isInLoop(exit) {
        add(.loop, at: part, .statements("continue"), shown: "continue")
      } else if let exit = item.item.as(ContinueStmtSyntax.self), exit.label == nil {
        add(.loop, at: part, .statements("break"), shown: "break")
      } else if !givesValue, !initializes(item), let action = action(of: item) {
        add(action.is(TryExprSyntax.self) ? .throw : .statement, at: part, .removal, shown: "")
      }
    }
    for (first, second) in zip(items, items.dropFirst()) {
      guard canChangePlaces(first, second) else { continue }
      let (left, right) = (range(first.item), range(second.item))
      let mutated = text(right) + "\n" + text(left)
      add(
        .order, at: left.lowerBound..<right.upperBound, .statements(mutated),
        shown: text(right) + "; " + text(left))
    }
  }

  /// True when two neighbours are effects, or an effect and a check, branch or loop.
  private func canChangePlaces(
    _ first: CodeBlockItemSyntax, _ second: CodeBlockItemSyntax
  ) -> Bool {
    switch (action(of: first), action(of: second)) {
    case (let one?, let other?):
      text(range(first.item)) != text(range(second.item)) && !areApart(one, other)
    case (.some, nil): isBlock(second)
    case (nil, .some): isBlock(first)
    case (nil, nil): false
    }
  }

  /// True when a statement is a check, a branch or a loop that binds no name for later statements.
  private func isBlock(_ item: CodeBlockItemSyntax) -> Bool {
    if let check = item.item.as(GuardStmtSyntax.self) {
      return check.conditions.allSatisfy {
        if case .expression = $0.condition { true } else { false }
      }
    }
    if let statement = item.item.as(ExpressionStmtSyntax.self) {
      return statement.expression.is(IfExprSyntax.self)
        || statement.expression.is(SwitchExprSyntax.self)
    }
    return item.item.is(ForStmtSyntax.self) || item.item.is(WhileStmtSyntax.self)
      || item.item.is(RepeatStmtSyntax.self) || item.item.is(DoStmtSyntax.self)
  }

  /// The expression of a statement with an effect and no value: a call, an assignment.
  private func action(of item: CodeBlockItemSyntax) -> ExprSyntax? {
    guard case .expr(let expression) = item.item else { return nil }
    var inner = expression
    while true {
      let parts = inner.children(viewMode: .sourceAccurate)
      guard let keyword = parts.first?.as(TokenSyntax.self)?.text,
        ["try", "await", "unsafe"].contains(keyword),
        let marked = parts.dropFirst().last?.as(ExprSyntax.self)
      else { break }
      inner = marked
    }
    if let sequence = inner.as(SequenceExprSyntax.self) {
      let elements = Array(sequence.elements)
      guard elements.count >= 3 else { return nil }
      let isAssignment =
        elements[1].is(AssignmentExprSyntax.self)
        || elements[1].as(BinaryOperatorExprSyntax.self)
          .map { OperatorTables.assignments[$0.operator.text] != nil } == true
      // The first element holds the `try` of the whole.
      return isAssignment
        ? (elements.contains { $0.is(TryExprSyntax.self) }
          ? ExprSyntax(TryExprSyntax(expression: inner)) : inner) : nil
    }
    guard let call = inner.as(FunctionCallExprSyntax.self) else { return nil }
    let name = call.calledExpression.trimmedDescription
    // Initializers must be called first, and a precondition is not a check of input.
    guard !name.hasPrefix("super.init"), !name.hasPrefix("self.init"), name != "precondition",
      !name.hasPrefix("assert")
    else { return nil }
    return expression
  }

  /// True when a statement gives a property its first value, without which no initializer compiles.
  private func initializes(_ item: CodeBlockItemSyntax) -> Bool {
    guard let elements = item.item.as(SequenceExprSyntax.self)?.elements,
      elements.dropFirst().first?.is(AssignmentExprSyntax.self) == true,
      let target = elements.first, isProperty(target)
    else { return false }
    return item.parent?.parent?.parent?.is(InitializerDeclSyntax.self) == true
  }

  /// True when an expression is a name, or a member of `self`.
  private func isProperty(_ expression: ExprSyntax) -> Bool {
    if let member = expression.as(MemberAccessExprSyntax.self) {
      return member.base?.trimmedDescription == "self"
    }
    return expression.is(DeclReferenceExprSyntax.self)
  }

  /// True when two statements only store existing values in two places, so that their order does not matter.
  private func areApart(_ first: ExprSyntax, _ second: ExprSyntax) -> Bool {
    guard let one = storage(by: first), let other = storage(by: second) else { return false }
    return !other.value.contains(one.place) && !one.value.contains(other.place)
      && one.place != other.place
  }

  /// The place and the value of an assignment of names, members and literals.
  private func storage(by expression: ExprSyntax) -> (place: String, value: String)? {
    guard let elements = expression.as(SequenceExprSyntax.self).map({ Array($0.elements) }),
      elements.count == 3, elements[1].is(AssignmentExprSyntax.self),
      isPlain(elements[0]), isPlain(elements[2])
    else { return nil }
    return (text(range(elements[0])), text(range(elements[2])))
  }

  private func isPlain(_ expression: ExprSyntax) -> Bool {
    if let member = expression.as(MemberAccessExprSyntax.self) {
      return member.base.map(isPlain) ?? true
    }
    return expression.is(DeclReferenceExprSyntax.self)
      || expression.is(BooleanLiteralExprSyntax.self)
      || expression.is(IntegerLiteralExprSyntax.self) || expression.is(NilLiteralExprSyntax.self)
  }

  /// True when the only statement of a list is the value of its function, accessor or closure.
  private func isValue(_ list: CodeBlockItemListSyntax) -> Bool {
    guard let parent = list.parent else { return false }
    if parent.is(AccessorBlockSyntax.self) { return true }
    if parent.is(ClosureExprSyntax.self) {
      // The result of a closure of one call is not known; an assignment has none.
      return list.first.map { $0.item.is(SequenceExprSyntax.self) } != true
    }
    guard let owner = parent.parent else { return false }
    if let accessor = owner.as(AccessorDeclSyntax.self) {
      return accessor.accessorSpecifier.tokenKind == .keyword(.get)
    }
    if let function = owner.as(FunctionDeclSyntax.self) {
      return function.signature.returnClause != nil
    }
    return false
  }

  /// True when `break` leaves a loop and not a `switch`.
  private func isInLoop(_ node: BreakStmtSyntax) -> Bool {
    var next = node.parent
    while let parent = next {
      if parent.is(SwitchExprSyntax.self) || parent.is(FunctionDeclSyntax.self)
        || parent.is(ClosureExprSyntax.self)
      {
        return false
      }
      if parent.is(ForStmtSyntax.self) || parent.is(WhileStmtSyntax.self)
        || parent.is(RepeatStmtSyntax.self)
      {
        return true
      }
      next = parent.parent
    }
    return false
  }

  /// Finds the values that a function may return at once: nothing, a truth value, 0, nil or an empty array.
  func findEarlyReturns(in function: FunctionDeclSyntax) {
    guard let body = function.body, let first = body.statements.first else { return }
    let type = function.signature.returnClause?.type.trimmedDescription
    let values: [String]
    switch type {
    case nil, "Void", "()": values = [""]
    case "Bool": values = ["true", "false"]
    case "Int", "UInt64", "UInt32", "UInt8", "UInt": values = ["0"]
    case let type? where type.hasSuffix("?"): values = ["nil"]
    case let type? where type.hasPrefix("[") && type.hasSuffix("]") && !type.contains(":"):
      values = ["[]"]
    default: return
    }
    // A lone expression is the value: with a statement before it, it would not be returned.
    let isExpression = body.statements.count == 1 && first.item.is(ExprSyntax.self)
    for value in values {
      let exit = value.isEmpty ? "return" : "return \(value)"
      if isExpression, type != nil {
        add(.return, at: range(first.item), .either(value), shown: exit)
      } else {
        let start = range(first).lowerBound
        add(.return, at: start..<start, .insertion(exit), shown: exit + " at once")
      }
    }
  }
}
