extension SavedRows {
  /// Writes down the restoration class of a node.
  mutating func setClass(_ restorationClass: any RestorationClass.Type, of row: Int) {
    let identifier = ObjectIdentifier(restorationClass)
    if classes.last?.identifier != identifier {
      let saved = classes.known[identifier] ?? describe(restorationClass)
      classes.known[identifier] = saved
      classes.last = (identifier, saved)
    }
    if let saved = classes.last?.saved { setClass(saved, of: row) }
  }

  /// Writes down the restoration class of a registered object.
  mutating func setClass(_ restorationClass: any ObjectRestorationClass.Type, of row: Int) {
    let name = restorationClass.restorationClassName
    let isRegistered = registry.objectRestorationClass(named: name) != nil
    setClass(
      SavedClasses.Saved(number: number(ofClassNamed: name), isRegistered: isRegistered), of: row)
  }

  /// The number of a restoration class's name in the index, counted from one.
  mutating func number(ofClassNamed name: String) -> UInt32 {
    if let number = classes.numbers[name] { return number }
    index.classNames.append(name)
    let number = UInt32(index.classNames.count)
    classes.numbers[name] = number
    return number
  }

  private mutating func describe(
    _ restorationClass: any RestorationClass.Type
  ) -> SavedClasses.Saved {
    let name = restorationClass.restorationClassName
    return SavedClasses.Saved(
      number: number(ofClassNamed: name),
      isRegistered: registry.restorationClass(named: name) != nil)
  }

  private mutating func setClass(_ saved: SavedClasses.Saved, of row: Int) {
    index.classes[row] = saved.number
    guard !saved.isRegistered else { return }
    let path = index.path(row)
    let name = index.classNames[Int(saved.number) - 1]
    report(
      .unregisteredClass, at: path,
      "The restoration class \(name) of \(path) is not registered, so the next launch cannot "
        + "restore it; register it with the RestorationRegistry.")
  }
}

/// The restoration classes of a save, each asked once for its name.
struct SavedClasses {
  /// The number of a class's name in the index, and whether it is registered by it.
  struct Saved {
    let number: UInt32
    let isRegistered: Bool
  }

  var numbers: [String: UInt32] = [:]
  var known: [ObjectIdentifier: Saved] = [:]
  /// The class of the node before; mostly the next one has the same.
  var last: (identifier: ObjectIdentifier, saved: Saved)?
}
