import Foundation
import GTKRestoration

/// The contacts app on a desktop: an example of an adapted toolkit.
@main
enum DesktopContacts {
  @MainActor private static var app: DesktopApp?

  @MainActor
  static func main() {
    do {
      let arguments = CommandLine.arguments.dropFirst()
      if arguments.contains("--help") {
        print(Options.help)
        exit(0)
      }
      let app = try DesktopApp(Options(Array(arguments)))
      try MainLoop.start()
      self.app = app
      Task { await app.launch() }
    } catch {
      report(error)
    }
    MainLoop.run()
  }

  /// Reports an error and ends the app.
  static func report(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("desktop-contacts: \(error)\n".utf8))
    exit(1)
  }
}
