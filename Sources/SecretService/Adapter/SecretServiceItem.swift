internal import CSecret

/// One item of a keyring.
@safe
package final class SecretServiceItem {
  let item: UnsafeMutablePointer<SecretItem>

  init(taking item: UnsafeMutablePointer<SecretItem>) { unsafe self.item = item }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(item)) }

  /// Whether its secret cannot be read as long as nobody unlocks the keyring.
  package var isLocked: Bool { unsafe secret_item_get_locked(item) != 0 }

  /// Where the service keeps it; no two items have the same.
  package var path: String {
    let proxy = unsafe UnsafeMutableRawPointer(item).assumingMemoryBound(to: GDBusProxy.self)
    guard let path = unsafe g_dbus_proxy_get_object_path(proxy) else { return "" }
    return unsafe String(cString: path)
  }

  /// When it was made, in seconds since 1970.
  package var created: UInt64 { UInt64(unsafe secret_item_get_created(item)) }

  /// Reads the secret and lends it to `body`.
  package func withSecret<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(SecretServiceFailure) -> Swift.Result<Result, Failure> {
    var error: UnsafeMutablePointer<GError>?
    guard unsafe secret_item_load_secret_sync(item, nil, &error) != 0 else {
      throw unsafe SecretServiceFailure(taking: error)
    }
    // A locked item is no error to libsecret: it has no secret then.
    guard let value = unsafe secret_item_get_secret(item) else {
      throw SecretServiceFailure(.locked, "the keyring is locked")
    }
    defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
    var count: gsize = 0
    let start = unsafe secret_value_get(value, &count)
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count))
    do throws(Failure) {
      return .success(try unsafe body(Span(_unsafeBytes: bytes)))
    } catch {
      return .failure(error)
    }
  }

  /// Gives it other attributes in place of all that it has.
  package func setAttributes(_ attributes: [String: String]) throws(SecretServiceFailure) {
    let table = Attributes(attributes)
    var error: UnsafeMutablePointer<GError>?
    guard unsafe secret_item_set_attributes_sync(item, nil, table.table, nil, &error) != 0 else {
      throw unsafe SecretServiceFailure(taking: error)
    }
  }
}
