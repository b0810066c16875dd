#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The identity of this boot of the machine, which differs from all earlier ones (Spec/state.md, section 3).
enum MachineBoot {
  /// The system's identifier of this boot; empty when the system gives none.
  static let identifier: String = {
    let bytes = try? Data(contentsOf: URL(fileURLWithPath: "/proc/sys/kernel/random/boot_id"))
    return String(decoding: bytes ?? Data(), as: UTF8.self)
      .trimmingPrefix { $0.isWhitespace }.split(separator: "\n").first.map(String.init) ?? ""
  }()

  /// Whether a text is the identifier of another boot.
  static func isEarlier(_ text: some StringProtocol) -> Bool {
    !identifier.isEmpty && UUID(uuidString: String(text)) != nil && text != identifier
  }
}
