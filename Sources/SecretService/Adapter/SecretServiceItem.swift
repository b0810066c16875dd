internal import CSecret

/// One item of a keyring.
@safe
package final class SecretServiceItem {
  let item: UnsafeMutablePointer<SecretItem>

  init(taking item: UnsafeMutablePointer<SecretItem>) { unsafe self.item = item }

  deinit { unsafe g_object_unref(UnsafeMutableRawPointer(item)) }

  /// True when the secret cannot be read until the user unlocks the keyring.
  package var isLocked: Bool { unsafe secret_item_get_locked(item) != 0 }

  /// The path of the item in the service; it is unique.
  package var path: String {
    let proxy = unsafe UnsafeMutableRawPointer(item).assumingMemoryBound(to: GDBusProxy.self)
    guard let path = unsafe g_dbus_proxy_get_object_path(proxy) else { return "" }
    return unsafe String(cString: path)
  }

  /// The time at which the item was made, in seconds since 1970.
  package var created: UInt64 { UInt64(unsafe secret_item_get_created(item)) }

  /// Reads the secret and passes it to `body`.
  package func withSecret<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(SecretServiceFailure) -> Swift.Result<Result, Failure> {
    var error: UnsafeMutablePointer<GError>?
    guard unsafe secret_item_load_secret_sync(item, nil, &error) != 0 else {
      throw unsafe SecretServiceFailure(taking: error)
    }
    // libsecret reports a locked item as an item without a secret, not as an error.
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

  /// Replaces all attributes of the item.
  package func setAttributes(_ attributes: [String: String]) throws(SecretServiceFailure) {
    let table = Attributes(attributes)
    var error: UnsafeMutablePointer<GError>?
    guard unsafe secret_item_set_attributes_sync(item, nil, table.table, nil, &error) != 0 else {
      throw unsafe SecretServiceFailure(taking: error)
    }
  }
}
