#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  /// What the compiler asks for the code of a macro.
  @main
  struct KeepsakeMacros: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
      ArchivableMacro.self, ArchivableSubclassMacro.self, MarkingMacro.self,
    ]
  }
#else
  /// Without the trait there is no macro; the package manager builds this target all the same.
  @main
  struct KeepsakeMacros {
    static func main() {}
  }
#endif
