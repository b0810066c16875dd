import KeepsakeHeadless
import KeepsakeRestoration
import Testing

@MainActor
@Suite struct `The registry` {
  @Test
  func `A registry refuses a name that is taken, and accepts a registration twice`() throws {
    var registry = RestorationRegistry()
    try registry.register(restorationClass: ClassPage.self)
    try registry.register(restorationClass: ClassPage.self)
    try registry.register(type: Page.self)
    try registry.register(type: Box.self, alias: "OldBox")
    try registry.register(template: "Page") { _ in nil }
    let ofType = #expect(throws: RestorationError.self) {
      try registry.register(type: Box.self, alias: Page.restorationTypeName)
    }
    let ofTemplate = #expect(throws: RestorationError.self) {
      try registry.register(template: "Page") { _ in nil }
    }
    let ofClass = #expect(throws: RestorationError.self) {
      try registry.register(restorationClass: ClassPage.self, alias: "")
    }
    #expect(
      [ofType, ofTemplate, ofClass].map(\.?.code)
        == Array(repeating: .invalidRegistration, count: 3))
    #expect(ofType?.message.contains(Page.restorationTypeName) == true)
    #expect(ofTemplate?.message.contains("Page") == true)
  }
}
