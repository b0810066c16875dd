#if Macros
  import SwiftCompilerPlugin
  import SwiftSyntaxMacros

  @main
  struct KeepsakeMacros: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
      ArchivableMacro.self, ArchivableSubclassMacro.self, MarkingMacro.self,
    ]
  }
#else
  /// Without the trait there is no macro, but the package manager still builds this target.
  @main
  struct KeepsakeMacros {
    static func main() {}
  }
#endif
