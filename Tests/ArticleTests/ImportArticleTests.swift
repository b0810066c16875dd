import Foundation
import Keepsake
import TestSupport
import Testing

/// The class of the old program, which its files name `Garden.GDNPlant`.
final class OldPlant: NSObject, NSCoding {
  var name = ""
  var neighbours: [OldPlant] = []
  weak var support: OldPlant?

  init(name: String) { self.name = name }

  required init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode(name, forKey: "GDNPlantName")
    coder.encode(
      name == "Rose" ? Date(timeIntervalSinceReferenceDate: 7) : nil, forKey: "plantedOn")
    coder.encode(NSSet(array: ["red", "white"]), forKey: "colours")
    coder.encode(neighbours, forKey: "neighbours")
    coder.encodeConditionalObject(support, forKey: "support")
    coder.encode(44.0, forKey: "cellHeight")
  }

  /// A file as the old program has made it.
  static func file(of root: OldPlant) -> [UInt8] {
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.outputFormat = .xml
    archiver.encode(root, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    let text = String(decoding: archiver.encodedData, as: UTF8.self)
    return Array(text.replacing("ArticleTests.OldPlant", with: "Garden.GDNPlant").utf8)
  }
}

@Suite struct `The article on NSKeyedArchiver` {
  private func oldGarden() -> [UInt8] {
    let (rose, bean, pole) = (
      OldPlant(name: "Rose"), OldPlant(name: "Bean"), OldPlant(name: "Pole")
    )
    // A conditional object has to be encoded before.
    rose.neighbours = [pole, bean]
    bean.neighbours = [rose]
    bean.support = pole
    let file = OldPlant.file(of: rose)
    withExtendedLifetime(pole) {}
    return file
  }

  private func check(_ rose: Plant) {
    #expect(rose.name == "Rose" && rose.plantedOn == Date(timeIntervalSinceReferenceDate: 7))
    #expect(rose.colours == ["red", "white"] && rose.support == nil)
    #expect(rose.neighbours.map(\.name) == ["Pole", "Bean"])
    #expect(rose.neighbours.last?.neighbours.first === rose)
    #expect(rose.neighbours.last?.support === rose.neighbours.first)
    #expect(rose.neighbours.last?.plantedOn == nil)
    // The cycle is broken, so that its objects are released.
    for plant in [rose] + rose.neighbours { plant.neighbours = [] }
  }

  @Test func `The example carries an app over in two releases`() throws {
    try withTemporaryDirectory { folder in
      let (path, oldPath) = (folder + "/garden", folder + "/garden.plist")
      let key = try SealKey.generate()
      let old = oldGarden()
      try DurableFile.replace(at: oldPath, with: old.span)
      for _ in 0..<2 { check(try loadGarden(at: path, oldPath: oldPath, key: key)) }
      #expect(try DurableFile.read(at: oldPath, upTo: 1 << 20) == old)
      for _ in 0..<2 { check(try loadGardenAndTidyUp(at: path, oldPath: oldPath, key: key)) }
      #expect(!FileManager.default.fileExists(atPath: oldPath))
      // This user skipped the first release.
      try FileManager.default.removeItem(atPath: path)
      try DurableFile.replace(at: oldPath, with: old.span)
      check(try loadGardenAndTidyUp(at: path, oldPath: oldPath, key: key))
      #expect(!FileManager.default.fileExists(atPath: oldPath))
    }
  }

  @Test func `A damaged old file is left and no new one is made`() throws {
    try withTemporaryDirectory { folder in
      let (path, oldPath) = (folder + "/garden", folder + "/garden.plist")
      let key = try SealKey.generate()
      try DurableFile.replace(at: oldPath, with: Array(oldGarden().dropLast(40)).span)
      let error = #expect(throws: ImportError.self) {
        try loadGardenAndTidyUp(at: path, oldPath: oldPath, key: key)
      }
      #expect(error?.code == .damaged)
      #expect(FileManager.default.fileExists(atPath: oldPath))
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func `The example outlines an archive that has archives in its data`() throws {
    // A state has an archive for each restoration path, and facts about the app.
    func archive(_ values: [String: Any]) -> Data {
      let archiver = NSKeyedArchiver(requiringSecureCoding: false)
      for key in values.keys.sorted() { archiver.encode(values[key], forKey: key) }
      archiver.finishEncoding()
      return archiver.encodedData
    }
    let detail = archive([
      "UserID": "contact-1080", "EditField": 2, "EditedText": "Edsger Johnson",
      "isEditing": true,
    ])
    let state = archive([
      "UIApplicationStateRestorationBundleVersionKey": "11.0", "MyAppVersion": 11.0,
      "paths": ["Navigation/Detail": detail],
    ])
    let page = try Page("Sources/Keepsake/Keepsake.docc/FromNSKeyedArchiver.md").text
    let lines = try outline(of: Array(state))
    #expect(page.contains("```\n" + lines.joined(separator: "\n") + "\n```"), "\(lines)")
    let plant = try outline(of: Array(archive(["data": archive(["item": OldPlant(name: "Rose")])])))
    #expect(plant.contains { $0.hasPrefix("data > ArticleTests.OldPlant: GDNPlantName, ") })
    #expect(plant.contains("data > GDNPlantName > Rose"), "\(plant)")
    #expect(throws: ImportError.self) { try outline(of: [1]) }
  }
}
