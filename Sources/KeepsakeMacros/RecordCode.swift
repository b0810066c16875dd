#if Macros
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// The conformance of a structure.
  struct RecordCode {
    private(set) var extensionCode = TypeCode()

    init(
      of type: StructDeclSyntax, _ arguments: ArchivableArguments,
      in context: some MacroExpansionContext
    ) {
      let properties = StoredProperties(of: type, isObject: false, in: context)
      extensionCode.add(arguments, modifiers: type.access + "static ")
      extensionCode.add(
        "\(type.access)func encode(to coder: inout ObjectEncoder)",
        properties.all.map(\.encoding))
      extensionCode.add(
        "\(type.access)init(from coder: borrowing ObjectDecoder) throws(ArchiveError)",
        properties.all.reading)
    }
  }
#endif
