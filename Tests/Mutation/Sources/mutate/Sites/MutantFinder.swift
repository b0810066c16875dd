import SwiftParser
import SwiftSyntax

/// A file of sources, parsed.
struct SourceFile {
  let path: String
  let text: String
  let tree: SourceFileSyntax

  init(path: String, text: String) {
    (self.path, self.text) = (path, text)
    tree = Parser.parse(source: text)
  }
}

/// Finds every mutant of one file.
final class MutantFinder: SyntaxVisitor {
  private let path: String
  private let source: [UInt8]
  private let converter: SourceLocationConverter
  let signatures: Signatures
  private(set) var mutants: [Mutant] = []
  /// The declarations around the visited node.
  private var declarations: [(name: String, range: Range<Int>)] = []

  /// The mutants of a file in the order of their places.
  static func mutants(of source: String, at path: String) -> [Mutant] {
    let file = SourceFile(path: path, text: source)
    return mutants(of: file, Signatures(of: [file]))
  }

  /// The mutants of a file that calls functions of others.
  static func mutants(of file: SourceFile, _ signatures: Signatures) -> [Mutant] {
    guard !file.tree.hasError else { return [] }
    let finder = MutantFinder(file, signatures)
    finder.walk(file.tree)
    return finder.mutants.sorted {
      ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound)
    }
  }

  private init(_ file: SourceFile, _ signatures: Signatures) {
    path = file.path
    source = Array(file.text.utf8)
    self.signatures = signatures
    converter = SourceLocationConverter(fileName: path, tree: file.tree)
    super.init(viewMode: .sourceAccurate)
  }

  // MARK: Adding

  func text(_ range: Range<Int>) -> String {
    String(decoding: source[range], as: UTF8.self)
  }

  func range(_ node: some SyntaxProtocol) -> Range<Int> {
    node.positionAfterSkippingLeadingTrivia
      .utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
  }

  func add(_ kind: MutantKind, at range: Range<Int>, _ form: Mutant.Form, shown mutated: String) {
    let line = converter.location(for: AbsolutePosition(utf8Offset: range.lowerBound)).line
    let lineStart =
      source[..<range.lowerBound].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let lineEnd = source[range.lowerBound...].firstIndex(of: UInt8(ascii: "\n")) ?? source.count
    mutants.append(
      Mutant(
        path: path, kind: kind, range: range, line: line, column: range.lowerBound - lineStart,
        declaration: declarations.map(\.name).joined(separator: "."),
        scope: declarations.last?.range ?? 0..<source.count,
        lineText: text(lineStart..<lineEnd).shortened(to: 200),
        original: text(range).shortened(), mutated: mutated.shortened(), form: form))
  }

  /// Adds a mutant that replaces an expression by another one.
  func replace(_ kind: MutantKind, _ node: some SyntaxProtocol, by mutated: String) {
    replace(kind, at: range(node), by: mutated)
  }

  func replace(_ kind: MutantKind, at range: Range<Int>, by mutated: String) {
    add(kind, at: range, .either(mutated), shown: mutated)
  }

  // MARK: Declarations

  private func enter(_ name: String, _ node: some SyntaxProtocol) -> SyntaxVisitorContinueKind {
    declarations.append((name, range(node)))
    return .visitChildren
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node)
  }
  override func visitPost(_: StructDeclSyntax) { declarations.removeLast() }
  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node)
  }
  override func visitPost(_: ClassDeclSyntax) { declarations.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node)
  }
  override func visitPost(_: EnumDeclSyntax) { declarations.removeLast() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node)
  }
  override func visitPost(_: ActorDeclSyntax) { declarations.removeLast() }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.name.text, node)
  }
  override func visitPost(_: ProtocolDeclSyntax) { declarations.removeLast() }
  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    enter(node.extendedType.trimmedDescription, node)
  }
  override func visitPost(_: ExtensionDeclSyntax) { declarations.removeLast() }
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    enter("init", node)
  }
  override func visitPost(_: InitializerDeclSyntax) { declarations.removeLast() }
  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind {
    enter("subscript", node)
  }
  override func visitPost(_: SubscriptDeclSyntax) { declarations.removeLast() }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    let visit = enter(node.name.text, node)
    findEarlyReturns(in: node)
    return visit
  }
  override func visitPost(_: FunctionDeclSyntax) { declarations.removeLast() }
  override func visit(_ node: PatternBindingSyntax) -> SyntaxVisitorContinueKind {
    enter(node.pattern.trimmedDescription.shortened(to: 40), node)
  }
  override func visitPost(_: PatternBindingSyntax) { declarations.removeLast() }

  // MARK: Nodes that are not visited

  override func visit(_: AttributeListSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: ImportDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  /// Raw values must be literals.
  override func visit(_: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  /// Tests should not depend on the words of messages.
  override func visit(_: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_: GenericArgumentListSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    if let active = ActiveConditions.activeClause(of: node), let elements = active.elements {
      walk(elements)
    }
    return .skipChildren
  }

  // MARK: Nodes that are changed

  override func visit(_ node: IfExprSyntax) -> SyntaxVisitorContinueKind {
    findConditions(of: node)
    return .visitChildren
  }
  override func visit(_ node: GuardStmtSyntax) -> SyntaxVisitorContinueKind {
    findConditions(of: node)
    return .visitChildren
  }
  override func visit(_ node: WhileStmtSyntax) -> SyntaxVisitorContinueKind {
    findConditions(of: node)
    return .visitChildren
  }
  override func visit(_ node: RepeatStmtSyntax) -> SyntaxVisitorContinueKind {
    add(.condition, at: range(node.condition), .negation, shown: "!(\(node.condition.trimmed))")
    return .visitChildren
  }
  override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
    add(.condition, at: range(node.condition), .negation, shown: "!(\(node.condition.trimmed))")
    return .visitChildren
  }
  override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
    findOperators(in: node)
    return .visitChildren
  }
  override func visit(_ node: CodeBlockItemListSyntax) -> SyntaxVisitorContinueKind {
    findStatements(in: node)
    return .visitChildren
  }
  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    findArguments(in: node)
    findValuesNotPassed(in: node)
    findIdentity(in: node)
    findPrefix(in: node)
    return .visitChildren
  }
  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    findOtherNumbers(for: node)
    return .skipChildren
  }
  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let isTrue = node.literal.tokenKind == .keyword(.true)
    replace(isDefaultValue(node) ? .default : .constant, node, by: isTrue ? "false" : "true")
    return .skipChildren
  }
  override func visit(_ node: ArrayExprSyntax) -> SyntaxVisitorContinueKind {
    findFlags(in: node)
    return .visitChildren
  }
  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    findOtherMembers(of: node)
    return .visitChildren
  }
}
