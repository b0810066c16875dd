import Foundation
import Keepsake
import KeepsakeTesting
import Testing

// A saved state may contain values of other coders: `Codable` ones, and graphs of objects.
@MainActor
@Suite struct `Values of other coders` {
  struct Filter: Codable, Equatable {
    var text = ""
    var tags: [String: [Int]] = [:]
    var date: Date?
  }

  final class Step: ArchiveObject {
    static let archiveTypeName = "Step"
    var name: String
    var next: Step?

    init(_ name: String) { self.name = name }

    func encode(to coder: inout ObjectEncoder) {
      coder.encode(name, forKey: "name")
      coder.encodeReference(next, forKey: "next")
    }

    init(from coder: borrowing ObjectDecoder) throws {
      name = try coder.decode(forKey: "name")
    }

    func decode(from coder: borrowing ObjectDecoder) throws {
      next = try coder.decodeReference(forKey: "next")
    }
  }

  final class Screen: HeadlessViewController {
    var onEncode: (inout RestorationEncoder) throws -> Void = { _ in }
    var onDecode: (borrowing RestorationDecoder) throws -> Void = { _ in }

    override func encodeRestorableState(with coder: inout RestorationEncoder) throws {
      try super.encodeRestorableState(with: &coder)
      try onEncode(&coder)
    }

    override func decodeRestorableState(with coder: borrowing RestorationDecoder) throws {
      try super.decodeRestorableState(with: coder)
      try onDecode(coder)
    }
  }

  final class App: RestorationDelegate {
    let window = HeadlessWindow()
    let screen = Screen(restorationIdentifier: "screen")
    var restorationWindows: [any RestorationWindow] { [window] }
    init() { window.rootController = screen }
    func willFinishLaunching() {}
    func shouldSaveState(with coder: inout RestorationEncoder) -> Bool { true }
    func shouldRestoreState(with coder: borrowing RestorationDecoder) -> Bool { true }
    func didFinishLaunching(_ report: RestoreReport) {}
  }

  private func relaunch(
    _ onEncode: @escaping (inout RestorationEncoder) throws -> Void,
    _ onDecode: @escaping (borrowing RestorationDecoder) throws -> Void
  ) async throws -> Relaunch<App> {
    let (app, next) = (App(), App())
    app.screen.onEncode = onEncode
    next.screen.onDecode = onDecode
    return try await KeepsakeTesting.relaunch(
      app, configuration: RestorationConfiguration(bundleVersion: try BundleVersion("1"))
    ) { next }
  }

  @Test func `A Codable value is restored`() async throws {
    let filter = Filter(
      text: "swift", tags: ["a": [1, 2]], date: Date(timeIntervalSinceReferenceDate: 7))
    var read: Filter?
    let report = try await relaunch {
      try $0.encodeEncodable(filter, forKey: "filter")
    } _: {
      read = try $0.decodeDecodable(forKey: "filter")
    }.restoreReport
    #expect(read == filter && report.diagnostics.isEmpty, "\(report)")
  }

  @Test func `A Codable value that is absent or of another type leads to an error`() async throws {
    var codes: [String] = []
    _ = try await relaunch {
      try $0.encodeEncodable("text", forKey: "text")
      $0.encode(7, forKey: "number")
    } _: { coder in
      for key in ["text", "number", "absent"] as [ArchiveKey] {
        do {
          _ = try coder.decodeDecodable(Filter.self, forKey: key)
          codes.append("none")
        } catch let error as ArchiveError {
          codes.append("\(error.code)")
        } catch is DecodingError {
          codes.append("decoding")
        }
      }
    }
    #expect(codes == ["decoding", "typeMismatch", "absentKey"])
  }

  @Test func `A graph of objects is restored with its cycles`() async throws {
    let (first, second) = (Step("first"), Step("second"))
    (first.next, second.next) = (second, first)
    defer { second.next = nil }
    var types = TypeRegistry()
    try types.register(Step.self)
    var root: Step?
    let report = try await relaunch {
      try $0.encodeGraph(first, forKey: "steps")
    } _: { [types] in
      root = try $0.decodeGraph(forKey: "steps", registry: types)
      let error = #expect(throws: ArchiveError.self) {
        _ = try Archive([]).decodeRoot(Step.self, registry: types)
      }
      #expect(error?.code == .truncated)
    }.restoreReport
    defer { root?.next?.next = nil }
    #expect(root?.name == "first" && root?.next?.name == "second")
    #expect(root?.next?.next === root && report.diagnostics.isEmpty, "\(report)")
  }

  @Test func `A graph of a type that is not registered is not restored`() async throws {
    let report = try await relaunch {
      try $0.encodeGraph(Step("only"), forKey: "steps")
    } _: {
      _ = try $0.decodeGraph(Step.self, forKey: "steps", registry: TypeRegistry())
    }.restoreReport
    #expect(report.diagnostics.map(\.code) == [.decodingFailed])
    #expect(report.diagnostics.first?.message.contains("Step") == true)
  }
}
