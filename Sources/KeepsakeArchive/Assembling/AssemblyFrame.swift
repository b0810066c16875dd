/// A value that is being assembled: what it turned out to be, and where its parts are.
struct AssemblyFrame: BitwiseCopyable {
  enum Content: UInt8 {
    /// Nothing was written yet.
    case empty
    /// One value without a key.
    case single
    /// Values under keys, which the plan follows.
    case keyed
    /// Values under keys that are kept in a list, since they are many or ever other ones.
    case listed
    /// Values in a row.
    case row
    /// A value that has to be encoded in another way.
    case irregular
  }

  /// Tells the values of one archive apart.
  var serial: Int
  var content = Content.empty
  /// The tag that all elements of a row share, `any` once there are two, `null` before the first.
  var tag = ArchiveTag.null
  var hasNil = false
  /// How many containers lie around the value, the object's record being the first.
  var depth: Int32
  /// The step of the plan that was taken last.
  var node: Int32 = 0
  /// Where the steps of the plan begin.
  var root: Int32 = 0
  /// Where its entries begin among all.
  var firstEntry: Int32
  /// Where its keys begin in the list of keys.
  var firstKey: Int32
  /// How many shapes had been met before.
  var shapeMark: Int32
  /// Where the container begins among the bytes.
  var start = 0
  /// Where its payloads begin, for now.
  var tail = 0
  /// How many elements a row has.
  var count = 0
  /// The bytes before anything was written.
  var mark: Int
}
