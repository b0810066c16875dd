import Foundation
import GTKRestoration
import Keepsake

/// A window that asks for the passphrase of the key, until it is the right one.
@MainActor
final class PassphrasePrompt {
  private let keyStore: PassphraseKeyStore
  private static let title = "Unlock contacts"

  private let window = Window(title: title, width: 360, height: 120)
  private let message = Label("The passphrase of your contacts' windows:")
  private let entry = Entry(placeholder: "Passphrase")
  private var unlocked: CheckedContinuation<Void, Never>?
  private var isTrying = false

  init(_ keyStore: PassphraseKeyStore) {
    self.keyStore = keyStore
    entry.isSecret = true
    let button = Button("_Unlock") { [weak self] in self?.tryPassphrase() }
    entry.onActivate { [weak self] in self?.tryPassphrase() }
    button.addStyle("suggested-action")
    let column = Box(isVertical: true, [message, entry, button])
    column.setMargin(18)
    window.setHeaderBar(HeaderBar())
    window.setChild(column)
    window.onClose { exit(0) }
  }

  /// Shows the window until the key store is unlocked.
  func unlock() async {
    window.present()
    entry.grabFocus()
    await withCheckedContinuation { unlocked = $0 }
    window.close()
  }

  private func tryPassphrase() {
    guard !isTrying else { return }
    isTrying = true
    // Systems encode an accented letter in different ways.
    let bytes = Array(entry.text.precomposedStringWithCanonicalMapping.utf8)
    entry.text = ""
    window.title = "Unlocking contacts"
    Task {
      defer {
        isTrying = false
        window.title = Self.title
      }
      do {
        try await keyStore.unlock(with: SealPassphrase(text: bytes.span))
        unlocked?.resume()
        unlocked = nil
      } catch {
        message.text = "\(error)"
      }
    }
  }
}
