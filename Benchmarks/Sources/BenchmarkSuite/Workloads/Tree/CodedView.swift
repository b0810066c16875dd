import Foundation

/// The same view as a class for `NSKeyedArchiver`.
final class CodedView: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  static var classes: [AnyClass] { [NSArray.self, NSString.self, CodedView.self] }

  let view: ViewRecord
  let children: [CodedView]

  init(_ record: ViewRecord) {
    view = record
    children = record.children.map { CodedView($0) }
  }

  var record: ViewRecord {
    var record = view
    record.children = children.map(\.record)
    return record
  }

  func encode(with coder: NSCoder) {
    coder.encode(view.identifier as NSString, forKey: "identifier")
    coder.encode(view.frame.x, forKey: "x")
    coder.encode(view.frame.y, forKey: "y")
    coder.encode(view.frame.width, forKey: "width")
    coder.encode(view.frame.height, forKey: "height")
    coder.encode(view.background as NSString, forKey: "background")
    coder.encode(view.alpha, forKey: "alpha")
    coder.encode(view.isHidden, forKey: "isHidden")
    coder.encode(view.tag, forKey: "tag")
    coder.encode(view.text.map { $0 as NSString }, forKey: "text")
    coder.encode(children as NSArray, forKey: "children")
  }

  init?(coder: NSCoder) {
    guard let identifier = coder.decodeObject(of: NSString.self, forKey: "identifier"),
      let background = coder.decodeObject(of: NSString.self, forKey: "background"),
      let children = coder.decodeObject(of: Self.classes, forKey: "children") as? [CodedView]
    else { return nil }
    self.children = children
    view = ViewRecord(
      identifier: "\(identifier)",
      frame: ViewRecord.Frame(
        x: coder.decodeDouble(forKey: "x"), y: coder.decodeDouble(forKey: "y"),
        width: coder.decodeDouble(forKey: "width"), height: coder.decodeDouble(forKey: "height")),
      background: "\(background)", alpha: coder.decodeDouble(forKey: "alpha"),
      isHidden: coder.decodeBool(forKey: "isHidden"), tag: coder.decodeInt64(forKey: "tag"),
      text: coder.decodeObject(of: NSString.self, forKey: "text").map { "\($0)" }, children: [])
  }
}
