#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// The members of a class.
  struct ClassCode {
    private(set) var body = TypeCode()
    /// The name of the superclass, which writes and reads in its own scope; nil when no superclass is archivable.
    private let superclass: String?
    private let properties: StoredProperties
    private let isFinal: Bool

    init(
      of type: ClassDeclSyntax, _ arguments: ArchivableArguments, superclass: String?,
      in context: some MacroExpansionContext
    ) {
      self.superclass = superclass
      properties = StoredProperties(of: type, isObject: true, in: context)
      isFinal = type.hasModifier("final")
      let access = type.access
      // Only open members can be overridden in another module.
      let overridable = type.hasModifier("open") ? "open " : access
      let overriding = superclass == nil ? overridable : overridable + "override "
      addNames(arguments, type.name.text.trimmingBackticks, modifiers: overriding)
      addEncoding(overriding)
      addReading(access)
      addReferences(overriding)
    }

    private mutating func addNames(
      _ arguments: ArchivableArguments, _ name: String, modifiers: String
    ) {
      var arguments = arguments
      arguments.typeName = arguments.typeName ?? "\"\(name)\""
      // A subclass must not inherit the version of its superclass.
      if !isFinal || superclass != nil { arguments.schemaVersion = arguments.schemaVersion ?? "0" }
      body.add(
        arguments, modifiers: modifiers + (isFinal && superclass == nil ? "static " : "class "))
    }

    private mutating func addEncoding(_ modifiers: String) {
      var lines = properties.all.map(\.encoding)
      if let superclass {
        lines.insert(
          "coder.withScope(\(superclass).archiveTypeName) {\n  super.encode(to: &$0)\n}", at: 0)
      }
      body.add("\(modifiers)func encode(to coder: inout ObjectEncoder)", lines)
    }

    private mutating func addReading(_ access: String) {
      var lines = properties.values.reading
      if let superclass {
        lines.append("try super.init(from: coder.scope(\(superclass).archiveTypeName))")
      }
      body.add("\(access)required init(from coder: borrowing ObjectDecoder) throws", lines)
    }

    private mutating func addReferences(_ modifiers: String) {
      var lines = properties.references.map { "\($0.name) = \($0.decoding)" }
      // A class that may have subclasses needs the method, so that subclasses can override it.
      if isFinal, lines.isEmpty, superclass == nil { return }
      if let superclass {
        lines.insert("try super.decode(from: coder.scope(\(superclass).archiveTypeName))", at: 0)
      }
      body.add("\(modifiers)func decode(from coder: borrowing ObjectDecoder) throws", lines)
    }
  }
#endif
