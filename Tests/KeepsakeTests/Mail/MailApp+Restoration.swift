import Keepsake

extension MailApp: RestorationDelegate {
  var restorationWindows: [any RestorationWindow] { windows }

  static var configuration: RestorationConfiguration {
    get throws {
      var configuration = RestorationConfiguration(bundleVersion: try BundleVersion("1.0"))
      try configuration.registry.register(restorationClass: MailboxController.self)
      try configuration.registry.register(restorationClass: MessageController.self)
      try configuration.registry.register(restorationClass: ComposerController.self)
      return configuration
    }
  }

  func register(with coordinator: RestorationCoordinator) throws {
    try coordinator.register(outbox, identifier: "Outbox")
  }

  func willFinishLaunching() {}
  func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }
  func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }
  func makeRestorationWindow(at position: Int) -> (any RestorationWindow)? { openWindow() }
  func didFinishLaunching(_ report: RestoreReport) {}
}

extension MailboxController: RestorationClass {
  func makeRestorable() { restorationClass = MailboxController.self }

  static func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) -> (any RestorableNode)? {
    MailboxController(name: path.identifier)
  }
}

extension MessageController: RestorationClass {
  func makeRestorable() { restorationClass = MessageController.self }

  static func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) -> (any RestorableNode)? {
    MessageController()
  }
}

extension ComposerController: RestorationClass {
  func makeRestorable() { restorationClass = ComposerController.self }

  static func restorableNode(
    withPath path: RestorationPath, coder: borrowing RestorationDecoder
  ) -> (any RestorableNode)? {
    ComposerController()
  }
}
