#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// The conformance of an enumeration: by raw values, or by cases with names and associated values.
  struct EnumerationCode {
    /// One case with its associated values.
    private struct Case {
      let name: String
      /// The name that is stored, as a string literal.
      let key: String
      let aliases: [String]
      /// The labels of the values; nil for a value without a label.
      let labels: [String?]
      let values: [StoredProperty]

      /// The pattern that binds the values.
      var pattern: String {
        values.isEmpty
          ? ".\(name)" : ".\(name)(\(values.map { "let \($0.name)" }.joined(separator: ", ")))"
      }

      /// The expression that makes the case from stored values.
      var decoding: String {
        if values.isEmpty { return ".\(name)" }
        let arguments = zip(labels, values).map { label, value in
          (label.map { "\($0): " } ?? "") + value.decoding
        }
        return ".\(name)(\n" + arguments.joined(separator: ",\n") + ")"
      }
    }

    let protocolName: String
    private(set) var extensionCode = TypeCode()

    init(
      of type: EnumDeclSyntax, _ arguments: ArchivableArguments,
      in context: some MacroExpansionContext
    ) {
      let declarations = type.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
      let first = type.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
      let hasRawValues =
        first.map(StandardTypes.rawValues.contains) == true
        || declarations.contains { $0.elements.contains { $0.rawValue != nil } }
      guard !hasRawValues else {
        // The conformance of an enumeration with raw values needs no code.
        protocolName = "ArchiveValue"
        for declaration in declarations {
          if let node = Markings(of: declaration.attributes, in: context).keyNode {
            context.report(
              "The cases of this enumeration are stored by their raw values; change the raw value in place of "
                + "stating a key.", at: node)
          }
        }
        return
      }
      protocolName = "ArchiveEnumeration"
      let cases = Self.cases(declarations, in: context)
      guard !cases.isEmpty else {
        context.report(
          "An enumeration without cases has no value to be stored; remove @Archivable.",
          at: type.name)
        return
      }
      extensionCode.add(arguments, modifiers: type.access + "static ")
      addCases(cases, type.access)
    }

    private mutating func addCases(_ cases: [Case], _ access: String) {
      extensionCode.add(
        "\(access)var archiveCase: ArchiveKey",
        ["switch self {"] + cases.map { "case .\($0.name): \($0.key)" } + ["}"])
      let encodings = cases.flatMap { element in
        ["case \(element.pattern):"]
          + (element.values.isEmpty
            ? ["  break"] : element.values.map { "  " + $0.encoding($0.name) })
      }
      extensionCode.add(
        "\(access)func encode(to coder: inout ObjectEncoder)",
        cases.allSatisfy(\.values.isEmpty) ? [] : ["switch self {"] + encodings + ["}"])
      let decodings = cases.map { element in
        "case \(([element.key] + element.aliases).joined(separator: ", ")): self = \(element.decoding)"
      }
      extensionCode.add(
        "\(access)init(archiveCase: ArchiveKey, from coder: borrowing ObjectDecoder) throws(ArchiveError)",
        ["switch archiveCase {"] + decodings
          + ["default: throw .unknownCase(archiveCase, of: Self.self)", "}"])
    }

    private static func cases(
      _ declarations: [EnumCaseDeclSyntax], in context: some MacroExpansionContext
    ) -> [Case] {
      var keys: Set<String> = []
      var cases: [Case] = []
      for declaration in declarations {
        let markings = Markings(of: declaration.attributes, in: context)
        if let node = markings.keyNode, declaration.elements.count > 1 {
          context.report("A key is for one case; declare each case separately.", at: node)
        }
        if let node = markings.ignored ?? markings.reference {
          context.report(
            "@Ignored and @ObjectReference are for properties; a case is always stored, by its name.",
            at: node)
        }
        for element in declaration.elements {
          let name = element.name.text
          let key = markings.key ?? "\"\(name.trimmingBackticks)\""
          for key in [key] + markings.aliases where !keys.insert(key).inserted {
            context.report(
              "The key \(key) is another case's; give this one a key of its own by @Key.",
              at: element)
          }
          let parameters = element.parameterClause?.parameters.map(\.self) ?? []
          cases.append(
            Case(
              name: name, key: key, aliases: markings.aliases, labels: parameters.map(\.label),
              values: values(parameters)))
        }
      }
      return cases
    }

    /// The values of a case under the names of their labels, or `_0`, `_1` and so on as in `Codable`.
    private static func values(_ parameters: [EnumCaseParameterSyntax]) -> [StoredProperty] {
      parameters.enumerated().map { place, parameter in
        StoredProperty(
          name: "value\(place)", key: "\"\(parameter.label?.trimmingBackticks ?? "_\(place)")\"",
          aliases: [], fallback: parameter.defaultValue?.value.trimmedDescription,
          isOptional: parameter.type.isOptional)
      }
    }
  }

  extension EnumCaseParameterSyntax {
    /// The label, if there is one.
    fileprivate var label: String? {
      guard let name = firstName?.text, name != "_" else { return nil }
      return name
    }
  }
#endif
