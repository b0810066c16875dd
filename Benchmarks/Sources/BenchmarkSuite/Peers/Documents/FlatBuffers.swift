#if Peers
  import CFlatBuffers

  /// FlatBuffers' C++: tables whose fields are found by number, vectors, and structs of fixed layout.
  ///
  /// A record is a table, or a struct if all of its fields are numbers. A list of lists is a vector of tables
  /// with one list each, since FlatBuffers has nothing else. A dictionary is a vector of pairs.
  enum FlatBuffers {
    static func encode(_ value: some DocumentRecord) -> [UInt8] {
      let builder = FlatBuilder()
      defer { builder.free() }
      return builder.finish(value.flatReference(in: builder))
    }

    /// Reads bytes that `encode` wrote; other bytes would have to be checked by FlatBuffers' verifier first.
    static func decode<Value: DocumentRecord>(_ bytes: [UInt8]) throws -> Value {
      try unsafe bytes.withUnsafeBytes { try unsafe Value(table: FlatTable(root: $0)) }
    }
  }

  /// A buffer under construction, from its end to its beginning.
  @safe struct FlatBuilder {
    private let builder: OpaquePointer

    init() { unsafe builder = keepsake_flat_begin() }

    func free() { unsafe keepsake_flat_free(builder) }

    func finish(_ root: UInt32) -> [UInt8] {
      var size = 0
      let bytes = unsafe keepsake_flat_finish(builder, root, &size)
      return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: size))
    }

    func text(_ text: String) -> UInt32 {
      var text = text
      return text.withUTF8 { unsafe keepsake_flat_text(builder, $0.baseAddress, $0.count) }
    }

    /// A vector of numbers or structs.
    func elements<Element>(_ elements: [Element]) -> UInt32 {
      unsafe elements.withUnsafeBytes { bytes in
        unsafe keepsake_flat_elements(
          builder, bytes.baseAddress, elements.count, MemoryLayout<Element>.stride,
          MemoryLayout<Element>.alignment)
      }
    }

    /// A vector of the most recently kept references.
    func references(count: Int) -> UInt32 { unsafe keepsake_flat_references(builder, count) }

    func keep(_ reference: UInt32) { unsafe keepsake_flat_keep(builder, reference) }

    /// The number of kept references.
    var keptCount: Int { unsafe keepsake_flat_kept(builder) }

    func beginTable() -> UInt32 { unsafe keepsake_flat_begin_table(builder) }

    /// Ends a table, and drops the references that were kept for it.
    func endTable(_ start: UInt32, keptBefore kept: Int) -> UInt32 {
      unsafe keepsake_flat_end_table(builder, start, kept)
    }

    func add(_ value: UInt8, _ field: UInt16, always: Bool) {
      unsafe keepsake_flat_add_8(builder, field, value, always ? 1 : 0)
    }
    func add(_ value: UInt16, _ field: UInt16, always: Bool) {
      unsafe keepsake_flat_add_16(builder, field, value, always ? 1 : 0)
    }
    func add(_ value: UInt32, _ field: UInt16, always: Bool) {
      unsafe keepsake_flat_add_32(builder, field, value, always ? 1 : 0)
    }
    func add(_ value: UInt64, _ field: UInt16, always: Bool) {
      unsafe keepsake_flat_add_64(builder, field, value, always ? 1 : 0)
    }

    func add<Value: BitwiseCopyable>(structure value: Value, _ field: UInt16) {
      unsafe withUnsafeBytes(of: value) { bytes in
        unsafe keepsake_flat_add_struct(
          builder, field, bytes.baseAddress, bytes.count, MemoryLayout<Value>.stride,
          MemoryLayout<Value>.alignment)
      }
    }

    func add(kept place: Int, _ field: UInt16) {
      unsafe keepsake_flat_add_kept(builder, field, place)
    }
  }

  /// The address of a value in a buffer: a number, a struct, or a reference.
  @safe struct FlatPlace {
    fileprivate let address: UnsafeRawPointer

    func load<Value: BitwiseCopyable>(as type: Value.Type) -> Value {
      unsafe address.loadUnaligned(as: type)
    }

    /// The table that the reference at this place refers to.
    var table: FlatTable { unsafe FlatTable(address: keepsake_flat_target(address)) }

    /// The bytes of the vector that the reference at this place refers to.
    fileprivate func vector(stride: Int) -> (count: Int, bytes: UnsafeRawBufferPointer) {
      let vector = unsafe keepsake_flat_target(address)
      let count = unsafe Int(vector.loadUnaligned(as: UInt32.self))
      return unsafe (
        count,
        UnsafeRawBufferPointer(start: vector.advanced(by: 4), count: count * stride)
      )
    }

    /// The number of elements of the vector that the reference at this place refers to.
    var vectorCount: Int { unsafe vector(stride: 0).count }

    func element(_ index: Int, stride: Int) -> FlatPlace {
      let vector = unsafe keepsake_flat_target(address)
      return unsafe FlatPlace(address: vector.advanced(by: 4 + index * stride))
    }

    func text() throws -> String {
      guard let text = unsafe String(validating: vector(stride: 1).bytes, as: UTF8.self) else {
        throw DocumentFailure.damaged
      }
      return text
    }

    func elements<Element: BitwiseCopyable>() -> [Element] {
      let (count, bytes) = unsafe vector(stride: MemoryLayout<Element>.stride)
      return unsafe [Element](unsafeUninitializedCapacity: count) { target, initialized in
        unsafe UnsafeMutableRawBufferPointer(target).copyMemory(from: bytes)
        initialized = count
      }
    }
  }

  /// A table in a buffer.
  @safe struct FlatTable {
    fileprivate let address: UnsafeRawPointer

    /// The root table of a buffer.
    init(root bytes: UnsafeRawBufferPointer) throws {
      guard let start = bytes.baseAddress else { throw DocumentFailure.damaged }
      unsafe self.init(address: keepsake_flat_root(start))
    }

    fileprivate init(address: UnsafeRawPointer) { unsafe self.address = address }

    /// The place of a field's value; nil when it was left out.
    func field(_ number: UInt16) -> FlatPlace? {
      unsafe keepsake_flat_field(address, number).map { unsafe FlatPlace(address: $0) }
    }
  }
#endif
