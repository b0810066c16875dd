import Foundation
import Testing

@Suite struct `The code of the documentation` {
  @Test(arguments: try Page.all())
  func `The code is compiled and run, word for word`(page: Page) throws {
    let code = try CompiledCode()
    for block in page.blocks { #expect(code.contains(block), "\(page.path) shows:\n\(block)") }
  }

  @Test func `The code of every page is found`() throws {
    let pages = try Page.all()
    #expect(pages.count > 10)
    #expect(try Page("README.md").blocks.count == 2)
  }

  /// A column of the site has room for about 64 characters.
  @Test func `Code in the articles is at most 60 columns wide`() throws {
    let articles = try Page.all().filter { $0.path.contains(".docc/") }
    #expect(articles.flatMap(\.codeLines).count > 900)
    for page in articles {
      for line in page.codeLines { #expect(line.count <= 60, "\(page.path): \(line)") }
    }
  }

  @Test func `The code differs when one of its words differs`() throws {
    let code = try CompiledCode()
    let block = try #require(try Page("README.md").blocks.first)
    #expect(code.contains(block))
    #expect(!code.contains(block.replacing("fontSize", with: "textSize")))
    #expect(!code.contains("port Keepsake\n"))
  }
}
