#if Macros
  public import SwiftSyntax
  import SwiftSyntaxBuilder
  public import SwiftSyntaxMacros

  /// Writes the keyed conformance of a type, as one would write it by hand.
  ///
  /// The code for a structure or an enumeration is in an extension. The code for a class is in its body, where
  /// subclasses can override it and where initializers must be.
  public struct ArchivableMacro {}

  extension ArchivableMacro: ExtensionMacro {
    /// Writes the extension of a structure or an enumeration, or the bare conformance of a class.
    public static func expansion(
      of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
      providingExtensionsOf type: some TypeSyntaxProtocol,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
      let arguments = ArchivableArguments(of: node)
      let missing = Set(
        protocols.map { String($0.trimmedDescription.split(separator: ".").last ?? "") })
      let conformance: (name: String, code: TypeCode)
      if let structure = declaration.as(StructDeclSyntax.self) {
        conformance = (
          "ArchiveRecord", RecordCode(of: structure, arguments, in: context).extensionCode
        )
      } else if let enumeration = declaration.as(EnumDeclSyntax.self) {
        let code = EnumerationCode(of: enumeration, arguments, in: context)
        conformance = (code.protocolName, code.extensionCode)
      } else if declaration.is(ClassDeclSyntax.self) {
        guard missing.contains("ArchiveObject") else { return [] }
        conformance = ("ArchiveObject", TypeCode())
      } else {
        context.report(
          "@Archivable writes the conformance of a structure, an enumeration or a class; attach it to one of "
            + "these.", at: node)
        return []
      }
      // The clause states both protocols that the macro's declaration announces, although one implies the other.
      let implied = ["ArchiveRecord", "ArchiveEnumeration"].contains(conformance.name)
      let clause = ((implied ? ["ArchiveValue"] : []) + [conformance.name]).filter(missing.contains)
      if clause.isEmpty, conformance.code.isEmpty { return [] }
      return [
        try ExtensionDeclSyntax(
          "extension \(type.trimmed)\(raw: clause.isEmpty ? "" : ": " + clause.joined(separator: ", "))"
        ) {
          for member in conformance.code.members { DeclSyntax("\(raw: member)") }
        }
      ]
    }
  }

  extension ArchivableMacro: MemberMacro {
    /// Writes the members of a class.
    public static func expansion(
      of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      guard let type = declaration.as(ClassDeclSyntax.self) else { return [] }
      let isForSuperclass = node.attributeName.trimmedDescription.hasSuffix("ArchivableClass")
      if !isForSuperclass, !type.hasModifier("final") {
        context.report(
          "A class that may have subclasses is made archivable by @ArchivableClass; attach that, or let the class "
            + "be final.", at: node)
      }
      let code = ClassCode(of: type, ArchivableArguments(of: node), superclass: nil, in: context)
      return code.body.members.map { "\(raw: $0)" }
    }
  }

  /// Writes the members of a class whose superclass is archivable.
  ///
  /// Superclasses and subclasses have separate macros, because the compiler of Swift 6.3 crashes otherwise: it crashes
  /// on a subclass when the macro of its superclass may write a conformance but has not.
  public struct ArchivableSubclassMacro: MemberMacro {
    /// Writes the members.
    public static func expansion(
      of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
      conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
      guard let type = declaration.as(ClassDeclSyntax.self),
        let superclass = type.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
      else {
        context.report(
          "@ArchivableSubclass is for a class that names its superclass; attach @Archivable to all others.",
          at: node)
        return []
      }
      let code = ClassCode(
        of: type, ArchivableArguments(of: node), superclass: superclass, in: context)
      return code.body.members.map { "\(raw: $0)" }
    }
  }

  struct ArchivableArguments {
    /// The name of the type in archives, as an expression; nil when none is stated.
    var typeName: String?
    /// The schema version of the type, as an expression; nil for the first one.
    var schemaVersion: String?

    init(of node: AttributeSyntax) {
      guard case .argumentList(let arguments) = node.arguments else { return }
      for argument in arguments {
        switch argument.label?.text {
        case "typeName": typeName = argument.expression.trimmedDescription
        case "schemaVersion": schemaVersion = argument.expression.trimmedDescription
        default: break
        }
      }
    }
  }

  /// The declarations that are written for a type.
  struct TypeCode {
    private(set) var members: [String] = []
    var isEmpty: Bool { members.isEmpty }

    /// Adds a declaration with a body of lines.
    mutating func add(_ head: String, _ lines: [String]) {
      let body = lines.map { "  " + $0.replacing("\n", with: "\n  ") + "\n" }.joined()
      members.append(lines.isEmpty ? head + " {}" : "\(head) {\n\(body)}")
    }

    /// Adds the name and the version of a type, if they are stated.
    mutating func add(_ arguments: ArchivableArguments, modifiers: String) {
      if let name = arguments.typeName {
        add("\(modifiers)var archiveTypeName: String", [name])
      }
      if let version = arguments.schemaVersion {
        add("\(modifiers)var archiveSchemaVersion: UInt32", [version])
      }
    }
  }

  extension DeclGroupSyntax {
    /// The access modifier for members that a public or package protocol requires of the type, with a space after it.
    var access: String {
      for modifier in modifiers {
        switch modifier.name.text {
        case "public", "open": return "public "
        case "package": return "package "
        default: continue
        }
      }
      return ""
    }

    func hasModifier(_ name: String) -> Bool { modifiers.contains { $0.name.text == name } }
  }
#endif
