extension RestoreSession {
  /// Reports nodes that exist again although nothing on screen contains or presents them.
  func reportUnattached() {
    let roots = delegate.restorationWindows.compactMap(\.restorationRootNode)
    let isAttached = rows.attached(to: roots)
    for row in 0..<index.count where !isAttached[row] && rows.participants[row]?.node != nil {
      report(
        .unattached, at: path(row),
        "\(path(row)) was restored, but no window shows it; let its container attach it in "
          + "attachRestoredChildren(_:) or in its own decoding.")
    }
  }
}
