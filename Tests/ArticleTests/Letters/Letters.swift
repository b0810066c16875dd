import Foundation
import Keepsake

/// The first screen: the app makes it in each launch.
final class ListController: HeadlessViewController {
  let table = HeadlessTableView(
    restorationIdentifier: "Table")
  private(set) var subjects: [String] = []

  init() {
    super.init(restorationIdentifier: "List")
    table.dataSource = self
    addView(table)
  }

  func show(_ subjects: [String]) {
    self.subjects = subjects
    table.reloadData()
  }
}

extension ListController: HeadlessDataSource {
  var elementCounts: [Int] { [subjects.count] }
}

/// The second screen: its class makes it again.
final class LetterController: HeadlessViewController {
  @Saved var subject = ""

  init() {
    super.init(restorationIdentifier: "Letter")
    restorationClass = LetterController.self
  }
}

extension LetterController: RestorationClass {
  static func restorableNode(
    withPath path: RestorationPath,
    coder: borrowing RestorationDecoder
  ) -> (any RestorableNode)? {
    LetterController()
  }
}

/// The third screen: a template makes it again.
final class ReplyController: HeadlessViewController {
  let field = HeadlessDraftField(
    restorationIdentifier: "Text")
  @SavedReference var letter: LetterController?
  @SavedReference var outbox: Outbox?

  init() {
    super.init(restorationIdentifier: "Reply")
    restorationTemplate = "Reply"
    addView(field)
  }
}

/// The replies that are sent; it belongs to no screen.
final class Outbox: RestorableObject {
  var restorationIdentifier: String?
  var restorationParent: (any RestorableObject)? { nil }
  @Saved var replies: [String] = []
}

final class LettersApp: RestorationDelegate {
  let list = ListController()
  let outbox = Outbox()
  let window = HeadlessWindow()
  lazy var stack = HeadlessNavigationController(
    restorationIdentifier: "Stack", root: list)
  var restorationWindows: [any RestorationWindow] {
    [window]
  }

  func willFinishLaunching() {
    window.rootController = stack
  }
  func shouldSaveState(
    with coder: inout RestorationEncoder
  ) -> Bool { true }
  func shouldRestoreState(
    with coder: borrowing RestorationDecoder
  ) -> Bool { true }
  func didFinishLaunching(_ report: RestoreReport) {
    // Says which screens did not come back, and why.
    for problem in report.diagnostics { say("\(problem)") }
  }
}

/// A coordinator that knows how to make each screen again.
@MainActor
func makeCoordinator(
  in directory: StateDirectory, for app: LettersApp
) throws -> RestorationCoordinator {
  var configuration = RestorationConfiguration(
    bundleVersion: try BundleVersion("1.0"))
  configuration.awaitsFirstFrame = true
  try configuration.registry.register(
    restorationClass: LetterController.self)
  try configuration.registry.register(template: "Reply") {
    _ in ReplyController()
  }
  let coordinator = RestorationCoordinator(
    directory: directory, configuration: configuration)
  try coordinator.register(
    app.outbox, identifier: "Outbox")
  return coordinator
}

/// Rows are told by their subjects, and not by numbers.
extension ListController: RestorationModelAssociation {
  func modelIdentifier(
    forElementAt indexPath: RestorationIndexPath,
    in view: any RestorableView
  ) -> String? {
    subjects.indices.contains(indexPath.row)
      ? subjects[indexPath.row] : nil
  }

  func indexPath(
    forModelIdentifier identifier: String,
    in view: any RestorableView
  ) -> RestorationIndexPath? {
    subjects.firstIndex(of: identifier).map {
      RestorationIndexPath(row: $0)
    }
  }
}

extension LettersApp {
  func openLetter(_ subject: String) {
    let letter = LetterController()
    letter.subject = subject
    stack.push(letter)
  }

  func reply(to letter: LetterController?) {
    let reply = ReplyController()
    reply.letter = letter
    reply.outbox = outbox
    stack.present(reply)
    reply.field.becomeFirstResponder()
  }
}

@MainActor
func launch(
  _ app: LettersApp, _ coordinator: RestorationCoordinator
) async throws {
  // The rows come from a server, after the restore.
  coordinator.extendRestoration()
  await coordinator.launch(app)
  app.list.show(await fetchSubjects())
  try coordinator.completeRestoration()
  // The app draws its windows, and then says so.
  say(app.screens)
  coordinator.didDrawFirstFrame()
}

/// The subjects in the order of the day.
func fetchSubjects() async -> [String] {
  ["Holiday", "Lunch", "Invoice"].shuffled()
}

@main
@MainActor
struct Letters {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      return say("usage: letters DIRECTORY")
    }
    let app = LettersApp()
    let directory = StateDirectory(
      path: CommandLine.arguments[1])
    let coordinator = try makeCoordinator(
      in: directory, for: app)
    try await launch(app, coordinator)
    let saver = StateSaver(coordinator, of: app)
    while let line = readLine() {
      app.perform(line)
      try await saver.save()
      say(app.screens)
    }
    try await saver.shutDown()
  }
}

// The commands that stand for keys and clicks.
extension LettersApp {
  var letter: LetterController? {
    stack.topController as? LetterController
  }
  var reply: ReplyController? {
    stack.presentedController as? ReplyController
  }

  /// The screens from back to front, in one line.
  var screens: String {
    let selected = list.table.selectedIndexPaths.map {
      list.subjects[$0.row]
    }
    var parts = ["List, selected: \(selected)"]
    if let letter { parts.append("Letter: \(letter.subject)") }
    if let reply {
      let subject = reply.letter?.subject ?? "nothing"
      let focus = reply.field.isFirstResponder ? ", typing" : ""
      parts.append(
        "Reply to \(subject): \(reply.field.text)\(focus)")
    }
    parts.append("sent: \(outbox.replies)")
    return parts.joined(separator: " > ")
  }

  func perform(_ command: String) {
    let words = command.split(separator: " ", maxSplits: 1)
    let text = words.count > 1 ? String(words[1]) : ""
    switch words.first {
    case "open":
      guard let row = list.subjects.firstIndex(of: text) else { return }
      list.table.select([RestorationIndexPath(row: row)])
      openLetter(text)
    case "reply": reply(to: letter)
    case "type": reply?.field.text += text
    case "send":
      guard let reply else { return }
      reply.outbox?.replies.append(reply.field.text)
      stack.dismissPresentedController()
    case "back": stack.pop()
    default: break
    }
  }
}

/// Prints a line at once.
func say(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}
