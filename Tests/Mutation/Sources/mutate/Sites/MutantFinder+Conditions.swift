import SwiftSyntax

extension MutantFinder {
  func findConditions(of node: IfExprSyntax) {
    for condition in booleans(of: node.conditions) {
      if leaves(node.body) {
        skip(condition, as: "false")
      } else {
        negate(condition)
      }
    }
  }

  func findConditions(of node: GuardStmtSyntax) {
    for condition in booleans(of: node.conditions) {
      skip(condition, as: "true")
      negate(condition)
    }
  }

  func findConditions(of node: WhileStmtSyntax) {
    booleans(of: node.conditions).forEach(negate)
  }

  /// Skips a check, unless it compares identity, which has its own kind of mutants.
  private func skip(_ condition: ExprSyntax, as value: String) {
    if sameness(of: condition) != value { replace(.check, condition, by: value) }
  }

  private func negate(_ condition: ExprSyntax) {
    add(.condition, at: range(condition), .negation, shown: "!(\(condition.trimmed))")
  }

  /// The conditions that are expressions: a condition that binds a name cannot be left out.
  private func booleans(of conditions: ConditionElementListSyntax) -> [ExprSyntax] {
    conditions.compactMap { element in
      if case .expression(let expression) = element.condition { expression } else { nil }
    }
  }

  /// True when a block ends by leaving its function or loop.
  private func leaves(_ block: CodeBlockSyntax) -> Bool {
    guard let last = block.statements.last?.item else { return false }
    return last.is(ReturnStmtSyntax.self) || last.is(ThrowStmtSyntax.self)
      || last.is(BreakStmtSyntax.self) || last.is(ContinueStmtSyntax.self)
  }
}
