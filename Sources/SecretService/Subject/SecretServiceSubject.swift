import Keepsake
import KeepsakeSecretService

/// Uses a key of the Secret Service in one call, for the tests; prints the result in one line.
@main
enum SecretServiceSubject {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 3 else {
      print("usage: secret-service-subject new|existing|aside|unlock APPLICATION FILE")
      return
    }
    let store = SecretServiceKeyStore(application: arguments[1])
    do {
      print(try await use(store, to: arguments[0], arguments[2]))
    } catch let error as KeepsakeError {
      print("\(error.code.rawValue): \(error)")
    } catch let error as SealError {
      print("\(error.code.rawValue): \(error.description)")
    } catch {
      print("other: \(error)")
    }
  }

  private static func use(
    _ store: SecretServiceKeyStore, to verb: String, _ file: String
  ) async throws -> String {
    switch verb {
    case "new":
      try SealedFile.seal(Array("kept".utf8).span, to: file, for: [.key(store.existingOrNewKey())])
      return "sealed"
    case "existing":
      let opened = try SealedFile.open(file, with: [.key(store.existingKey())])
      return String(decoding: try opened.read(), as: UTF8.self)
    case "aside":
      try store.setKeyAside()
      return "set aside"
    default:
      try await store.unlock()
      return "unlocked"
    }
  }
}
