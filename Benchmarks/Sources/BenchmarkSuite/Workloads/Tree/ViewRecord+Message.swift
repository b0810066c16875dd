extension ViewRecord: MessageConvertible {
  var message: PBView {
    var message = PBView()
    message.identifier = identifier
    message.frame.x = frame.x
    message.frame.y = frame.y
    message.frame.width = frame.width
    message.frame.height = frame.height
    message.background = background
    message.alpha = alpha
    message.isHidden = isHidden
    message.tag = tag
    if let text { message.text = text }
    message.children = children.map(\.message)
    return message
  }

  init(_ message: PBView) {
    let frame = message.frame
    self.init(
      identifier: message.identifier,
      frame: Frame(x: frame.x, y: frame.y, width: frame.width, height: frame.height),
      background: message.background, alpha: message.alpha, isHidden: message.isHidden,
      tag: message.tag, text: message.hasText ? message.text : nil,
      children: message.children.map { ViewRecord($0) })
  }
}
