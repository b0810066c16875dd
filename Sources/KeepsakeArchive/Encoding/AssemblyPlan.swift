// What is learned about records whose values come in any order.

/// Where one value of a record goes.
struct AssemblyStore: BitwiseCopyable {
  /// What is done for a value that is not nil.
  enum Kind: UInt8, BitwiseCopyable {
    /// A nil, which is never another value.
    case none
    case bytes1, bytes2, bytes4, bytes8, bytes16
    /// A bit in the byte at its offset.
    case bit
    /// A record that lies in the slot.
    case inline
    case payload
  }

  /// Which entry of the record it is.
  var entry: Int32
  /// Where its slot lies; of a variable one nothing.
  var offset: Int32
  /// The byte with the slot's nil bit, or 0.
  var nilOffset: Int32
  /// The byte of bits that begins with this value, or -1 if none does.
  var openedByte: Int32
  /// The tag in which it is stored.
  var tag: ArchiveTag
  var nilMask: UInt8
  var bit: UInt8
  var kind: Kind

  init(entry: Int, _ tag: ArchiveTag, at place: PlanNode) {
    self.entry = Int32(entry)
    offset = place.offset
    nilOffset = place.nilOffset
    openedByte = place.openedByte
    self.tag = tag
    nilMask = place.nilMask
    bit = place.bit
    kind =
      switch tag.rawValue & 7 {
      case _ where tag == .inline: .inline
      case _ where tag.isVariable: .payload
      case _ where place.bit != 0: .bit
      case 1, 7: .bytes1
      case 2: .bytes2
      case 3: .bytes4
      case 4: .bytes8
      case 5: .bytes16
      default: .none
      }
  }
}

/// How the records are stored whose values came in one order.
struct AssemblyLayout {
  /// The stores, in the order of the slots.
  var stores: Range<Int>
  /// The last step of the plan for records as they are stored.
  var node: Int
  /// The bytes up to the end of the last slot.
  var byteCount: Int
  /// Whether a container is stored before one that came before it, or is not stored.
  var reordersContainers: Bool
}

/// The part of a plan by which records are assembled.
struct AssemblyPlan: ~Copyable, Sendable {
  /// How records are stored whose values came in one order, by whether their integers need 64 bits; the
  /// last step of such an order has the number of its row, where others have that of a shape.
  private var layouts: [(narrow: AssemblyLayout?, wide: AssemblyLayout?)] = []
  var stores = RawTable<AssemblyStore>(capacity: 0)
  /// How many steps the plan has for records whose values come in one order.
  var followedNodeCount = 0
  /// Where the plan begins for records with keys of a type.
  fileprivate var steps: [ObjectIdentifier: Int] = [:]

  /// A layout by its number, if there is one.
  func layout(_ number: Int, isWide: Bool) -> AssemblyLayout? {
    isWide ? layouts[number].wide : layouts[number].narrow
  }

  /// Keeps a layout under its number; a new one for -1.
  mutating func keep(_ layout: AssemblyLayout, isWide: Bool, as known: Int32) -> Int32 {
    let number = known < 0 ? layouts.count : Int(known)
    if known < 0 { layouts.append((nil, nil)) }
    if isWide { layouts[number].wide = layout } else { layouts[number].narrow = layout }
    return Int32(number)
  }
}

extension EncodingPlan {
  /// Where the plan begins for records with keys of a type.
  mutating func steps(of keys: ObjectIdentifier) -> Int {
    if let known = assembly.steps[keys] { return known }
    let writer = UInt32(assembly.steps.count + 1)
    let first = root(typeName: "", schemaVersion: .max, writer: writer)
    assembly.steps[keys] = first
    return first
  }
}
