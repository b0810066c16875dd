#if Peers
  import CMessagePack

  /// MessagePack by msgpack-c, which writes incrementally and reads everything into objects.
  enum MessagePack {
    static func encode(_ value: some DocumentValue) -> [UInt8] {
      var writer = Writer()
      value.write(to: &writer)
      return writer.finish()
    }

    static func decode<Value: DocumentValue>(_ bytes: [UInt8]) throws -> Value {
      var unpacked = unsafe msgpack_unpacked()
      unsafe msgpack_unpacked_init(&unpacked)
      defer { unsafe msgpack_unpacked_destroy(&unpacked) }
      var offset = 0
      let result = unsafe bytes.withUnsafeBytes { buffer in
        unsafe msgpack_unpack_next(
          &unpacked, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, &offset)
      }
      guard result == MSGPACK_UNPACK_SUCCESS, offset == bytes.count else {
        throw DocumentFailure.damaged
      }
      // Texts point into the bytes, which outlive the objects.
      return try withExtendedLifetime(bytes) {
        try unsafe Value(from: Node(object: unpacked.data))
      }
    }

    @safe private struct Writer: DocumentWriter {
      private let buffer: UnsafeMutablePointer<msgpack_sbuffer>
      private let packer: UnsafeMutablePointer<msgpack_packer>

      init() {
        unsafe buffer = msgpack_sbuffer_new()
        unsafe packer = msgpack_packer_new(buffer) { target, bytes, count in
          unsafe msgpack_sbuffer_write(target, bytes, count)
        }
      }

      func finish() -> [UInt8] {
        defer {
          unsafe msgpack_packer_free(packer)
          unsafe msgpack_sbuffer_free(buffer)
        }
        return unsafe [UInt8](
          UnsafeRawBufferPointer(start: buffer.pointee.data, count: buffer.pointee.size))
      }

      mutating func beginMap(count: Int) { _ = unsafe msgpack_pack_map(packer, count) }
      mutating func beginArray(count: Int) { _ = unsafe msgpack_pack_array(packer, count) }
      mutating func write(_ value: Int64) { _ = unsafe msgpack_pack_int64(packer, value) }
      mutating func write(_ value: UInt64) { _ = unsafe msgpack_pack_uint64(packer, value) }
      mutating func write(_ value: Float) { _ = unsafe msgpack_pack_float(packer, value) }
      mutating func write(_ value: Double) { _ = unsafe msgpack_pack_double(packer, value) }
      mutating func writeNil() { _ = unsafe msgpack_pack_nil(packer) }

      mutating func write(_ value: Bool) {
        _ = unsafe value ? msgpack_pack_true(packer) : msgpack_pack_false(packer)
      }

      mutating func write(_ value: String) {
        var value = value
        value.withUTF8 { text in
          _ = unsafe msgpack_pack_str(packer, text.count)
          _ = unsafe msgpack_pack_str_body(packer, text.baseAddress, text.count)
        }
      }

      mutating func write(_ value: StaticString) {
        _ = unsafe msgpack_pack_str(packer, value.utf8CodeUnitCount)
        _ = unsafe msgpack_pack_str_body(packer, value.utf8Start, value.utf8CodeUnitCount)
      }
    }

    @safe private struct Node: DocumentNode {
      let object: msgpack_object

      var isNil: Bool { unsafe object.type == MSGPACK_OBJECT_NIL }

      var arrayCount: Int? {
        unsafe object.type == MSGPACK_OBJECT_ARRAY ? Int(object.via.array.size) : nil
      }

      var mapCount: Int? {
        unsafe object.type == MSGPACK_OBJECT_MAP ? Int(object.via.map.size) : nil
      }

      func element(_ index: Int) -> Node { unsafe Node(object: object.via.array.ptr[index]) }
      func key(_ index: Int) -> Node { unsafe Node(object: object.via.map.ptr[index].key) }
      func value(_ index: Int) -> Node { unsafe Node(object: object.via.map.ptr[index].val) }

      func isText(_ text: StaticString) -> Bool {
        unsafe object.type == MSGPACK_OBJECT_STR
          && Int(object.via.str.size) == text.utf8CodeUnitCount
          && memcmp(object.via.str.ptr, text.utf8Start, text.utf8CodeUnitCount) == 0
      }

      func signed() throws -> Int64 {
        if unsafe object.type == MSGPACK_OBJECT_NEGATIVE_INTEGER { return unsafe object.via.i64 }
        guard let value = Int64(exactly: try unsigned()) else { throw DocumentFailure.type }
        return value
      }

      func unsigned() throws -> UInt64 {
        guard unsafe object.type == MSGPACK_OBJECT_POSITIVE_INTEGER else {
          throw DocumentFailure.type
        }
        return unsafe object.via.u64
      }

      func float() throws -> Float {
        guard unsafe object.type == MSGPACK_OBJECT_FLOAT32 else { throw DocumentFailure.type }
        return Float(unsafe object.via.f64)
      }

      func double() throws -> Double {
        guard unsafe object.type == MSGPACK_OBJECT_FLOAT64 else { throw DocumentFailure.type }
        return unsafe object.via.f64
      }

      func bool() throws -> Bool {
        guard unsafe object.type == MSGPACK_OBJECT_BOOLEAN else { throw DocumentFailure.type }
        return unsafe object.via.boolean
      }

      func text() throws -> String {
        guard unsafe object.type == MSGPACK_OBJECT_STR else { throw DocumentFailure.type }
        let bytes = unsafe UnsafeRawBufferPointer(
          start: object.via.str.ptr, count: Int(object.via.str.size))
        guard let text = unsafe String(validating: bytes, as: UTF8.self) else {
          throw DocumentFailure.damaged
        }
        return text
      }
    }
  }
#endif
