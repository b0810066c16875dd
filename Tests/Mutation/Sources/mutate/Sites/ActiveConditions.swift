import SwiftSyntax

/// The branches of `#if` that are compiled on Linux; no mutant is made in another one.
enum ActiveConditions {
  private static let modules: Set = [
    "Glibc", "Foundation", "FoundationEssentials", "Dispatch", "Synchronization", "CSodium",
  ]

  /// The branch that is compiled; an unknown condition counts as not met.
  static func activeClause(of declaration: IfConfigDeclSyntax) -> IfConfigClauseSyntax? {
    declaration.clauses.first { clause in
      clause.condition.map { holds($0.trimmedDescription) } ?? true
    }
  }

  private static func holds(_ condition: String) -> Bool {
    if let parts = split(condition, at: "||") { return parts.contains(where: holds) }
    if let parts = split(condition, at: "&&") { return parts.allSatisfy(holds) }
    if condition.hasPrefix("!") { return !holds(String(condition.dropFirst())) }
    if condition.hasPrefix("canImport(") {
      return modules.contains(String(condition.dropFirst("canImport(".count).dropLast()))
    }
    if condition.hasPrefix("compiler(") || condition.hasPrefix("swift(") { return true }
    return ["os(Linux)", "DEBUG", "true", "_endian(little)", "arch(x86_64)"].contains(condition)
  }

  private static func split(_ condition: String, at separator: String) -> [String]? {
    let parts = condition.split(separator: separator)
      .map {
        String($0.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      }
    return parts.count > 1 ? parts : nil
  }
}
