#if Macros
  import SwiftDiagnostics
  import SwiftSyntax
  import SwiftSyntaxMacros

  /// A diagnostic: the fault of a declaration, and what to do.
  private struct Notice: DiagnosticMessage {
    let message: String
    let severity: DiagnosticSeverity
    var diagnosticID: MessageID { MessageID(domain: "Keepsake", id: "Archivable") }
  }

  extension MacroExpansionContext {
    /// Reports an error, or a warning, at a place of the declaration.
    func report(
      _ message: String, at node: some SyntaxProtocol, as severity: DiagnosticSeverity = .error
    ) {
      diagnose(
        Diagnostic(node: Syntax(node), message: Notice(message: message, severity: severity)))
    }
  }
#endif
