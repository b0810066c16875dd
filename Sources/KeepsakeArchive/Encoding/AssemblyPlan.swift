// The part of a plan for records whose values come in any order.

/// The target of one value of a record.
struct AssemblyStore: BitwiseCopyable {
  /// How a value that is not nil is stored.
  enum Kind: UInt8, BitwiseCopyable {
    /// A value that is always nil.
    case none
    case bytes1, bytes2, bytes4, bytes8, bytes16
    /// A bit in the byte at its offset.
    case bit
    /// A record that is stored in the slot.
    case inline
    case payload
  }

  /// The index of the value among the entries of the record.
  var entry: Int32
  /// The offset of the slot; a payload has no slot.
  var offset: Int32
  /// The byte with the slot's nil bit, if the slot may hold nil.
  var nilOffset: Int32
  /// The byte of bits that begins with this value, or ``PlanStep/noByte``.
  var openedByte: Int32
  var tag: ArchiveTag
  var nilMask: UInt8
  var bit: UInt8
  var kind: Kind

  init(entry: Int, _ tag: ArchiveTag, at step: PlanStep) {
    self.entry = Int32(entry)
    offset = step.slotOffset
    nilOffset = step.nilOffset
    openedByte = step.openedByte
    self.tag = tag
    nilMask = step.nilMask
    bit = step.bit
    kind =
      switch tag.rawValue & 7 {
      case _ where tag == .inline: .inline
      case _ where tag.isVariable: .payload
      case _ where step.bit != 0: .bit
      case 1, 7: .bytes1
      case 2: .bytes2
      case 3: .bytes4
      case 4: .bytes8
      case 5: .bytes16
      default: .none
      }
  }
}

/// The layout of records whose values came in one order.
struct AssemblyLayout {
  /// The stores, in the order of the slots.
  var stores: Range<Int>
  /// The last step of the plan for records as they are stored.
  var step: Int
  /// The bytes up to the end of the last slot.
  var byteCount: Int
  /// True when a container is stored before one that came earlier, or is not stored.
  var reordersContainers: Bool
}

/// The part of a plan that a ``RecordAssembler`` uses.
struct AssemblyPlan: ~Copyable, Sendable {
  /// The layouts of records whose values came in one order, without and with integers of 64 bits.
  fileprivate var layouts: [(narrow: AssemblyLayout?, wide: AssemblyLayout?)] = []
  var stores = RawTable<AssemblyStore>(capacity: 0)
  /// The steps that follow the orders in which values came.
  var followedStepCount = 0
  /// The roots of the orders, by the type of the keys.
  fileprivate var roots: [ObjectIdentifier: Int] = [:]
}

extension EncodingPlan {
  /// The layout of records whose values came in the order that ends at a step, if it is known.
  func layout(ofOrderTo step: Int, isWide: Bool) -> AssemblyLayout? {
    let number = Int(branches[step].layoutNumber)
    if number == PlanBranch.noLayout { return nil }
    return isWide ? assembly.layouts[number].wide : assembly.layouts[number].narrow
  }

  /// Keeps a layout for the next record whose values come in the same order.
  mutating func keep(_ layout: AssemblyLayout, ofOrderTo step: Int, isWide: Bool) {
    if branches[step].layoutNumber == PlanBranch.noLayout {
      branches[step].layoutNumber = Int32(assembly.layouts.count)
      assembly.layouts.append((nil, nil))
    }
    let number = Int(branches[step].layoutNumber)
    if isWide {
      assembly.layouts[number].wide = layout
    } else {
      assembly.layouts[number].narrow = layout
    }
  }

  /// The root of the orders in which the values of records with one type of keys came.
  mutating func root(ofKeys keys: ObjectIdentifier) -> Int {
    if let known = assembly.roots[keys] { return known }
    let writer = UInt32(assembly.roots.count + 1)
    let root = root(typeName: "", schemaVersion: .max, writer: writer)
    assembly.roots[keys] = root
    return root
  }
}
