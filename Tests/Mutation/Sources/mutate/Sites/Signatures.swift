import SwiftSyntax

/// The declared parameters of functions and initializers; no types are looked up, so one entry is for all functions
/// of a name.
struct Signatures {
  struct Parameter: Hashable {
    /// The type as it is written.
    let type: String
    let hasDefault: Bool

    /// The empty value of the type; nil if none is known.
    var emptyValue: String? {
      if type.hasSuffix("?") { return "nil" }
      if type == "String" || type == "Substring" { return "\"\"" }
      if type.hasPrefix("Set<") { return "[]" }
      guard type.hasPrefix("["), type.hasSuffix("]") else { return nil }
      return type.contains(":") ? "[:]" : "[]"
    }
  }

  private struct Place: Hashable {
    let function: String
    /// The label; the index of a parameter without one.
    let label: String
  }

  private var parameters: [Place: Set<Parameter>] = [:]

  init(of files: [SourceFile]) {
    for file in files {
      let collector = Collector(viewMode: .sourceAccurate)
      collector.walk(file.tree)
      for (place, parameter) in collector.found { parameters[place, default: []].insert(parameter) }
    }
  }

  /// The parameter of an argument; nil when it is not known, or functions of this name have different ones.
  func parameter(of function: String, label: String?, at index: Int) -> Parameter? {
    let found = parameters[Place(function: function, label: label ?? "_\(index)")] ?? []
    return found.count == 1 ? found.first : nil
  }

  private final class Collector: SyntaxVisitor {
    private(set) var found: [(Place, Parameter)] = []
    private var types: [String] = []

    private func add(_ list: FunctionParameterListSyntax, of function: String) {
      for (index, parameter) in list.enumerated() {
        let label = parameter.firstName.text
        let place = Place(function: function, label: label == "_" ? "_\(index)" : label)
        var type = parameter.type.trimmedDescription
        for word in ["sending ", "borrowing ", "consuming ", "inout ", "@escaping ", "__owned "]
        where type.hasPrefix(word) {
          type.removeFirst(word.count)
        }
        found.append((place, Parameter(type: type, hasDefault: parameter.defaultValue != nil)))
      }
    }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
      add(node.signature.parameterClause.parameters, of: node.name.text)
      return .visitChildren
    }

    override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
      if let type = types.last { add(node.signature.parameterClause.parameters, of: type) }
      return .visitChildren
    }

    override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
      enter(node.name.text)
    }
    override func visitPost(_: StructDeclSyntax) { types.removeLast() }
    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
      enter(node.name.text)
    }
    override func visitPost(_: ClassDeclSyntax) { types.removeLast() }
    override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
      enter(node.name.text)
    }
    override func visitPost(_: EnumDeclSyntax) { types.removeLast() }
    override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
      enter(node.name.text)
    }
    override func visitPost(_: ActorDeclSyntax) { types.removeLast() }
    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
      let name = node.extendedType.trimmedDescription
      return enter(String(name.split(separator: ".").last ?? ""))
    }
    override func visitPost(_: ExtensionDeclSyntax) { types.removeLast() }

    private func enter(_ name: String) -> SyntaxVisitorContinueKind {
      types.append(name)
      return .visitChildren
    }
  }
}
