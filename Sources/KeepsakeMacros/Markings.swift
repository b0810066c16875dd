#if Macros
  public import SwiftSyntax
  public import SwiftSyntaxMacros

  /// `@Key`, `@Default`, `@Ignored` and `@ObjectReference`: they write nothing, and `@Archivable` reads them.
  public struct MarkingMacro: PeerMacro {
    /// Writes nothing.
    public static func expansion(
      of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
      in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
  }

  /// The markings of a property or a case.
  struct Markings {
    /// The stated key, as a string literal.
    private(set) var key: String?
    /// Former keys, as string literals.
    private(set) var aliases: [String] = []
    /// The expression of the default value; nil when none is stated.
    private(set) var fallback: String?
    private(set) var ignored: AttributeSyntax?
    private(set) var reference: AttributeSyntax?
    private(set) var keyNode: AttributeSyntax?

    init(of attributes: AttributeListSyntax, in context: some MacroExpansionContext) {
      for case .attribute(let attribute) in attributes {
        let name = attribute.attributeName.trimmedDescription.split(separator: ".").last
        switch name {
        case "Key": readKey(attribute, in: context)
        case "Default": fallback = attribute.firstArgument?.trimmedDescription
        case "Ignored": ignored = attribute
        case "ObjectReference": reference = attribute
        default: break
        }
      }
    }

    private mutating func readKey(
      _ attribute: AttributeSyntax, in context: some MacroExpansionContext
    ) {
      keyNode = attribute
      guard let argument = attribute.firstArgument, let literal = Self.literal(argument) else {
        return context.report(
          "A key is stored with each value and has to be known here; write it as a string literal.",
          at: attribute)
      }
      key = literal
      guard let list = attribute.argument(named: "aliases") else { return }
      guard let array = list.as(ArrayExprSyntax.self) else {
        return context.report("Write the aliases as an array literal of string literals.", at: list)
      }
      for element in array.elements {
        if let literal = Self.literal(element.expression) {
          aliases.append(literal)
        } else {
          context.report("Write the alias as a string literal.", at: element.expression)
        }
      }
    }

    /// A string literal without interpolations, as written in the source.
    private static func literal(_ expression: ExprSyntax) -> String? {
      guard let literal = expression.as(StringLiteralExprSyntax.self),
        literal.segments.allSatisfy({ $0.is(StringSegmentSyntax.self) })
      else { return nil }
      return literal.trimmedDescription
    }
  }

  extension AttributeSyntax {
    /// The first argument, if it has no label.
    fileprivate var firstArgument: ExprSyntax? {
      guard case .argumentList(let arguments) = arguments, let first = arguments.first,
        first.label == nil
      else { return nil }
      return first.expression
    }

    fileprivate func argument(named name: String) -> ExprSyntax? {
      guard case .argumentList(let arguments) = arguments else { return nil }
      return arguments.first { $0.label?.text == name }?.expression
    }
  }
#endif
