#if Peers
  import CLibCBOR

  #if canImport(Glibc)
    import Glibc
  #endif

  /// CBOR by libcbor, which writes into given memory and reads everything into items.
  enum ConciseBinary {
    static func encode(_ value: some DocumentValue) -> [UInt8] {
      var writer = Writer()
      value.write(to: &writer)
      return writer.bytes
    }

    static func decode<Value: DocumentValue>(_ bytes: [UInt8]) throws -> Value {
      var result = cbor_load_result()
      var item = unsafe cbor_load(bytes, bytes.count, &result)
      guard let root = unsafe item, result.read == bytes.count else {
        throw DocumentFailure.damaged
      }
      defer { unsafe cbor_decref(&item) }
      return try unsafe Value(from: Node(item: root))
    }

    @safe private struct Writer: DocumentWriter {
      var bytes: [UInt8] = []

      /// The largest size of anything except the bytes of a text.
      private static var headByteCount: Int { 9 }

      private mutating func append(
        _ encode: (_ target: UnsafeMutablePointer<UInt8>?, _ room: Int) -> Int
      ) {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.headByteCount) { room in
          let count = unsafe encode(room.baseAddress, room.count)
          unsafe bytes.append(contentsOf: room[..<count])
        }
      }

      mutating func beginMap(count: Int) {
        unsafe append { unsafe cbor_encode_map_start(count, $0, $1) }
      }

      mutating func beginArray(count: Int) {
        unsafe append { unsafe cbor_encode_array_start(count, $0, $1) }
      }

      mutating func write(_ value: Int64) {
        unsafe append { target, room in
          unsafe value < 0
            ? cbor_encode_negint(UInt64(~value), target, room)
            : cbor_encode_uint(UInt64(value), target, room)
        }
      }

      mutating func write(_ value: UInt64) {
        unsafe append { unsafe cbor_encode_uint(value, $0, $1) }
      }
      mutating func write(_ value: Float) {
        unsafe append { unsafe cbor_encode_single(value, $0, $1) }
      }
      mutating func write(_ value: Double) {
        unsafe append { unsafe cbor_encode_double(value, $0, $1) }
      }
      mutating func write(_ value: Bool) {
        unsafe append { unsafe cbor_encode_bool(value, $0, $1) }
      }
      mutating func writeNil() { unsafe append { unsafe cbor_encode_null($0, $1) } }

      mutating func write(_ value: String) {
        var value = value
        value.withUTF8 { text in
          unsafe append { unsafe cbor_encode_string_start(text.count, $0, $1) }
          unsafe bytes.append(contentsOf: text)
        }
      }

      mutating func write(_ value: StaticString) {
        unsafe append { unsafe cbor_encode_string_start(value.utf8CodeUnitCount, $0, $1) }
        unsafe bytes.append(
          contentsOf: UnsafeBufferPointer(
            start: value.utf8Start, count: value.utf8CodeUnitCount))
      }
    }

    @safe private struct Node: DocumentNode {
      let item: UnsafeMutablePointer<cbor_item_t>

      var isNil: Bool {
        unsafe cbor_isa_float_ctrl(item) && cbor_float_ctrl_is_ctrl(item) && cbor_is_null(item)
      }

      var arrayCount: Int? { unsafe cbor_isa_array(item) ? cbor_array_size(item) : nil }
      var mapCount: Int? { unsafe cbor_isa_map(item) ? cbor_map_size(item) : nil }

      /// A part of a container; the container's count is known.
      private func part(_ item: UnsafeMutablePointer<cbor_item_t>?) -> Node {
        guard let item = unsafe item else { preconditionFailure("The count is not right.") }
        return unsafe Node(item: item)
      }

      func element(_ index: Int) -> Node { unsafe part(cbor_array_handle(item)[index]) }
      func key(_ index: Int) -> Node { unsafe part(cbor_map_handle(item)[index].key) }
      func value(_ index: Int) -> Node { unsafe part(cbor_map_handle(item)[index].value) }

      func isText(_ text: StaticString) -> Bool {
        unsafe cbor_isa_string(item) && cbor_string_length(item) == text.utf8CodeUnitCount
          && memcmp(cbor_string_handle(item), text.utf8Start, text.utf8CodeUnitCount) == 0
      }

      func signed() throws -> Int64 {
        if unsafe cbor_isa_negint(item) {
          guard let value = Int64(exactly: unsafe cbor_get_int(item)) else {
            throw DocumentFailure.type
          }
          return ~value
        }
        guard let value = Int64(exactly: try unsigned()) else { throw DocumentFailure.type }
        return value
      }

      func unsigned() throws -> UInt64 {
        guard unsafe cbor_isa_uint(item) else { throw DocumentFailure.type }
        return unsafe cbor_get_int(item)
      }

      func float() throws -> Float {
        guard unsafe cbor_isa_float_ctrl(item), unsafe cbor_float_get_width(item) == CBOR_FLOAT_32
        else { throw DocumentFailure.type }
        return unsafe cbor_float_get_float4(item)
      }

      func double() throws -> Double {
        guard unsafe cbor_isa_float_ctrl(item), unsafe cbor_float_get_width(item) == CBOR_FLOAT_64
        else { throw DocumentFailure.type }
        return unsafe cbor_float_get_float8(item)
      }

      func bool() throws -> Bool {
        guard unsafe cbor_is_bool(item) else { throw DocumentFailure.type }
        return unsafe cbor_get_bool(item)
      }

      func text() throws -> String {
        guard unsafe cbor_isa_string(item) else { throw DocumentFailure.type }
        let bytes = unsafe UnsafeRawBufferPointer(
          start: cbor_string_handle(item), count: cbor_string_length(item))
        guard let text = unsafe String(validating: bytes, as: UTF8.self) else {
          throw DocumentFailure.damaged
        }
        return text
      }
    }
  }
#endif
