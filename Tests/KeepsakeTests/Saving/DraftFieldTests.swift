import Keepsake
import KeepsakeTesting
import Testing

private final class Form: HeadlessViewController {
  let subject = HeadlessDraftField(restorationIdentifier: "Subject")
  let body = HeadlessDraftField(restorationIdentifier: "Body")

  init() {
    super.init(restorationIdentifier: "Form")
    addView(subject)
    addView(body)
  }

  override class var restorationTypeName: String { "Form" }
}

private final class FormApp: RestorationDelegate {
  let form = Form()
  let window = HeadlessWindow()
  var restorationWindows: [any RestorationWindow] { [window] }

  func willFinishLaunching() { window.rootController = form }
  func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }
  func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }
  func didFinishLaunching(_ report: RestoreReport) {}
}

@MainActor
@Suite(.timeLimit(.minutes(30))) struct `A field for a draft` {
  private static var configuration: RestorationConfiguration {
    get throws { RestorationConfiguration(bundleVersion: try BundleVersion("1")) }
  }

  @Test
  func `A draft field gets back its text, its selection and the first responder`() async throws {
    let app = FormApp()
    app.willFinishLaunching()
    app.form.subject.text = "Lunch"
    app.form.body.text = "At one?"
    app.form.subject.becomeFirstResponder()
    app.form.body.becomeFirstResponder()
    app.form.body.select(3..<6)
    let relaunch = try await relaunch(app, configuration: Self.configuration) { FormApp() }
    let form = relaunch.app.form
    #expect(relaunch.restoreReport.diagnostics.isEmpty)
    #expect(form.subject.text == "Lunch" && form.body.text == "At one?")
    #expect(form.body.isFirstResponder && !form.subject.isFirstResponder)
    #expect(form.body.selectedRange == 3..<6 && form.subject.selectedRange == nil)
  }

  @Test func `Setting the text or the first responder marks the state, and a restore does not`()
    async throws
  {
    let (store, app) = (InMemoryStateStore(), FormApp())
    let coordinator = RestorationCoordinator(store: store, configuration: try Self.configuration)
    await coordinator.launch(app)
    let saver = StateSaver(coordinator, of: app, clock: ManualClock())
    try await saver.save()
    let changes: [@MainActor (Form) -> Void] = [
      { $0.subject.text = "Lunch" }, { $0.subject.becomeFirstResponder() },
      { $0.body.becomeFirstResponder() }, { $0.body.resignFirstResponder() },
    ]
    for change in changes {
      #expect(!saver.isDirty)
      change(app.form)
      #expect(saver.isDirty)
      try await saver.save()
    }
    app.form.subject.text = "Lunch"
    #expect(!saver.isDirty)

    let next = FormApp()
    let nextCoordinator = RestorationCoordinator(
      store: InMemoryStateStore(archive: store.archive), configuration: try Self.configuration)
    await nextCoordinator.launch(next)
    let nextSaver = StateSaver(nextCoordinator, of: next, clock: ManualClock())
    #expect(next.form.subject.text == "Lunch" && !nextSaver.isDirty)
  }
}
