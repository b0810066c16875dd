#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// A property that is stored under a key, or an associated value.
  struct StoredProperty {
    /// The kind of a reference to other objects.
    enum Reference { case none, one, conditional, many }

    /// The name in source code, with backticks if it needs them.
    let name: String
    /// The key, as a string literal.
    let key: String
    let aliases: [String]
    /// The expression of the default value; nil when none is stated.
    let fallback: String?
    let isOptional: Bool
    /// The name of the type; nil when the generated code cannot use it.
    var type: String?
    var reference = Reference.none

    /// The key to read: the current one, or a former one if only that is stored.
    private var keyToRead: String {
      aliases.isEmpty
        ? key
        : ([key] + aliases).map { "coder.contains(\($0)) ? \($0) : " }.joined() + key
    }

    /// The statement that writes the property.
    var encoding: String { encoding(name == "coder" ? "self.coder" : name) }

    /// The statement that writes a value.
    func encoding(_ value: String) -> String {
      let function =
        switch reference {
        case .none: "encode"
        case .one: "encodeReference"
        case .conditional: "encodeConditionalReference"
        case .many: "encodeReferences"
        }
      return "coder.\(function)(\(value), forKey: \(key))"
    }

    /// The expression that reads the value.
    var decoding: String {
      switch reference {
      case .many: "try coder.decodeReferences(forKey: \(keyToRead))"
      case .one, .conditional:
        "\(([key] + aliases).map { "coder.contains(\($0))" }.joined(separator: " || "))\n"
          + "  ? try coder.decodeReference(forKey: \(keyToRead)) : nil"
      case .none:
        if let fallback {
          "try coder.decode(forKey: \(keyToRead), default: \(fallback))"
        } else if isOptional {
          "try coder.decodeIfPresent(forKey: \(keyToRead))"
        } else {
          "try coder.decode(forKey: \(keyToRead))"
        }
      }
    }
  }

  extension [StoredProperty] {
    /// The statements that read values into properties.
    ///
    /// The values are read into constants first. Reading them into the properties of a structure takes a tenth
    /// longer, since a partly initialized structure must be torn down when a read fails. A property without a known
    /// type is read directly.
    var reading: [String] {
      var constants: [String] = []
      let lines = map { property in
        guard let type = property.type, property.name != "coder" else {
          return "self.\(property.name) = \(property.decoding)"
        }
        constants.append(property.name)
        return "let \(property.name): \(type) = \(property.decoding)"
      }
      return lines + constants.map { "self.\($0) = \($0)" }
    }
  }

  /// The stored properties of a type, in their order.
  struct StoredProperties {
    private(set) var all: [StoredProperty] = []

    var values: [StoredProperty] { all.filter { $0.reference == .none } }
    var references: [StoredProperty] { all.filter { $0.reference != .none } }

    init(
      of declaration: some DeclGroupSyntax, isObject: Bool, in context: some MacroExpansionContext
    ) {
      var keys: Set<String> = []
      var aliases: [(alias: String, key: String, variable: VariableDeclSyntax)] = []
      for member in declaration.memberBlock.members {
        guard let variable = member.decl.as(VariableDeclSyntax.self),
          !variable.modifiers.contains(where: { ["static", "class"].contains($0.name.text) })
        else { continue }
        let markings = Markings(of: variable.attributes, in: context)
        let className = declaration.as(ClassDeclSyntax.self)?.name.text.trimmingBackticks
        let found = Self.properties(
          of: variable, markings, isObject: isObject, className: className, in: context)
        for property in found {
          if !keys.insert(property.key).inserted {
            context.report(
              "The key \(property.key) is another property's; give this one a key of its own by @Key.",
              at: variable)
          }
          aliases += property.aliases.map { ($0, property.key, variable) }
          all.append(property)
        }
      }
      for (alias, key, variable) in aliases where alias != key && keys.contains(alias) {
        context.report(
          "The alias \(alias) is another property's key, whose value would be read for this one; remove the alias.",
          at: variable)
      }
    }

    private static func properties(
      of variable: VariableDeclSyntax, _ markings: Markings, isObject: Bool, className: String?,
      in context: some MacroExpansionContext
    ) -> [StoredProperty] {
      let stored = Array(variable.bindings).filter(\.isStored)
      guard !stored.isEmpty else { return [] }
      if markings.ignored != nil {
        requireValues(of: variable, stored, in: context)
        return []
      }
      if variable.modifiers.contains(where: { $0.name.text == "lazy" }) {
        context.report(
          "A lazy property gets its value at its first use, and storing it would be one; mark it with "
            + "@Ignored, or do not make it lazy.", at: variable)
        return []
      }
      if markings.key != nil, stored.count > 1, let node = markings.keyNode {
        context.report("A key is for one property; declare each property separately.", at: node)
      }
      return stored.compactMap { binding in
        property(
          binding, variable, markings, isObject: isObject, className: className, in: context)
      }
    }

    private static func property(
      _ binding: PatternBindingSyntax, _ variable: VariableDeclSyntax, _ markings: Markings,
      isObject: Bool, className: String?, in context: some MacroExpansionContext
    ) -> StoredProperty? {
      guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
        context.report("Declare each stored property by its own name.", at: binding.pattern)
        return nil
      }
      let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
      if isConstant, binding.initializer != nil {
        context.report(
          "A constant with a value cannot be read from an archive, so it is not stored; let it be a variable, or "
            + "mark it with @Ignored.", at: variable, as: .warning)
        return nil
      }
      let type = variable.type(of: binding)
      let name = pattern.identifier.text
      let bare = name.trimmingBackticks
      var property = StoredProperty(
        name: name, key: markings.key ?? "\"\(bare)\"", aliases: markings.aliases,
        fallback: markings.fallback, isOptional: type?.isOptional ?? false)
      // The code for a class is in its body. The code for a value type is in an extension, outside of all types.
      property.type = binding.typeName(type, isNested: !isObject && !context.lexicalContext.isEmpty)
      let ownership = Set(variable.modifiers.map(\.name.text))
      let isWeak = ownership.contains("weak")
      var marking = markings.reference.map { Syntax($0) }
      if marking == nil, isObject,
        isWeak || ownership.contains("unowned")
          || className.map({ type?.isObject(of: $0) == true }) == true
      {
        // The property is then read as one that is marked, so that this is the only error.
        context.report(
          "The property \(bare) refers to an object, which is not a value; mark it with @ObjectReference.",
          at: variable)
        marking = Syntax(variable)
      }
      guard let reference = marking else { return property }
      guard isObject else {
        context.report(
          "Only a class refers to other objects; a structure or an enumeration stores what it holds.",
          at: reference)
        return property
      }
      property.reference = type?.isArray == true ? .many : isWeak ? .conditional : .one
      if property.reference != .many, !property.isOptional {
        context.report(
          "A reference is read when the object exists already; let it be an optional or an array.",
          at: reference)
      } else if property.reference == .many, isConstant || binding.initializer == nil {
        context.report(
          "References are read when the object exists already; let them be a variable that begins empty.",
          at: reference)
      }
      return property
    }

    /// Reports ignored properties without a value.
    private static func requireValues(
      of variable: VariableDeclSyntax, _ bindings: [PatternBindingSyntax],
      in context: some MacroExpansionContext
    ) {
      let isVariable = variable.bindingSpecifier.tokenKind == .keyword(.var)
      for binding in bindings where binding.initializer == nil {
        if isVariable, variable.type(of: binding)?.isOptional == true { continue }
        context.report(
          "An ignored property is not read, so it needs a value here; write one after an equals sign.",
          at: binding)
      }
    }
  }

  extension PatternBindingSyntax {
    /// True when the property is stored, with or without observers.
    fileprivate var isStored: Bool {
      switch accessorBlock?.accessors {
      case nil: true
      case .accessors(let accessors):
        accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
      default: false
      }
    }

    /// The name of the stated type of the binding, or of the type of its literal.
    ///
    /// In code outside of the types that enclose the declaration, only names of the standard library have the same
    /// meaning.
    fileprivate func typeName(_ type: TypeSyntax?, isNested: Bool) -> String? {
      if let type { return isNested && !type.isKnownEverywhere ? nil : type.trimmedDescription }
      switch initializer?.value.kind {
      case .booleanLiteralExpr: return "Bool"
      case .integerLiteralExpr: return "Int"
      case .floatLiteralExpr: return "Double"
      case .stringLiteralExpr: return "String"
      default: return nil
      }
    }
  }

  extension VariableDeclSyntax {
    /// The stated type of a binding, which may come after a later binding, as in `var x, y: Double`.
    fileprivate func type(of binding: PatternBindingSyntax) -> TypeSyntax? {
      if binding.initializer != nil { return binding.typeAnnotation?.type }
      let rest = bindings.drop { $0 != binding }
      return rest.first { $0.typeAnnotation != nil }?.typeAnnotation?.type
    }
  }

  /// Types of the standard library that an archive stores.
  enum StandardTypes {
    /// The types that can be raw values of an enumeration.
    static let rawValues: Set<String> = [
      "String", "Character", "Int", "Int8", "Int16", "Int32", "Int64", "Int128", "UInt", "UInt8",
      "UInt16", "UInt32", "UInt64", "UInt128", "Float16", "Float", "Double",
    ]
    static let names = rawValues.union(["Bool"])
  }

  extension TypeSyntax {
    /// True when the type is written as an optional.
    var isOptional: Bool {
      self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
        || self.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
    }

    /// True when the type is a type of the standard library, or is made of such types.
    fileprivate var isKnownEverywhere: Bool {
      if let type = self.as(IdentifierTypeSyntax.self) {
        return type.genericArgumentClause == nil && StandardTypes.names.contains(type.name.text)
      }
      if let type = self.as(OptionalTypeSyntax.self) { return type.wrappedType.isKnownEverywhere }
      if let type = self.as(ArrayTypeSyntax.self) { return type.element.isKnownEverywhere }
      if let type = self.as(DictionaryTypeSyntax.self) {
        return type.key.isKnownEverywhere && type.value.isKnownEverywhere
      }
      return false
    }

    /// True when the type is a class of a name, an optional of it or an array of it.
    fileprivate func isObject(of className: String) -> Bool {
      if let type = self.as(OptionalTypeSyntax.self) {
        return type.wrappedType.isObject(of: className)
      }
      if let type = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
        return type.wrappedType.isObject(of: className)
      }
      if let type = self.as(ArrayTypeSyntax.self) { return type.element.isObject(of: className) }
      guard let type = self.as(IdentifierTypeSyntax.self) else { return false }
      return type.genericArgumentClause == nil && type.name.text.trimmingBackticks == className
    }

    /// True when the type is written as an array.
    fileprivate var isArray: Bool {
      self.is(ArrayTypeSyntax.self) || self.as(IdentifierTypeSyntax.self)?.name.text == "Array"
    }
  }

  extension String {
    /// A name without the backticks around a keyword.
    var trimmingBackticks: String { filter { $0 != "`" } }
  }
#endif
