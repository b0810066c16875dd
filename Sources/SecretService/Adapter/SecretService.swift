internal import CSecret

/// The Secret Service of the user's session, accessed through libsecret.
///
/// Calls block until the service has answered, for as long as D-Bus waits (25 seconds). Only ``unlock(_:)``
/// shows the user a dialog.
@safe
package final class SecretService {
  private let service: UnsafeMutablePointer<CSecret.SecretService>
  private let bus: OpaquePointer

  /// Connects to the service, which the bus starts when it is not running.
  ///
  /// Secrets travel encrypted over the bus.
  package init() throws(SecretServiceFailure) {
    var error: UnsafeMutablePointer<GError>?
    guard let bus = unsafe g_bus_get_sync(G_BUS_TYPE_SESSION, nil, &error) else {
      throw unsafe SecretServiceFailure(taking: error, .noSessionBus)
    }
    guard
      let service = unsafe secret_service_open_sync(
        secret_service_get_type(), nil, SECRET_SERVICE_OPEN_SESSION, nil, &error)
    else {
      unsafe g_object_unref(UnsafeMutableRawPointer(bus))
      throw unsafe SecretServiceFailure(taking: error)
    }
    unsafe self.service = service
    unsafe self.bus = bus
  }

  deinit {
    unsafe g_object_unref(UnsafeMutableRawPointer(service))
    unsafe g_object_unref(UnsafeMutableRawPointer(bus))
  }

  /// Runs work as the only program of this session that runs work under the name.
  ///
  /// The name is one of the bus, such as `com.example.Work`, and the bus gives it to one program at a time.
  package func alone<Result>(
    as name: String, _ work: () throws(SecretServiceFailure) -> Result
  ) throws(SecretServiceFailure) -> Result {
    // Waits as long as a call may take. When a process ends, the bus releases its name.
    let end = g_get_monotonic_time() + 25_000_000
    let doNotQueue: UInt32 = 4
    while try unsafe askBus(
      "RequestName", [g_variant_new_string(name), g_variant_new_uint32(doNotQueue)]) != 1
    {
      guard g_get_monotonic_time() < end else {
        throw SecretServiceFailure(
          .failed, "another program is making a key and does not finish")
      }
      g_usleep(5_000)
    }
    // If the bus is gone, the name is gone too.
    defer { _ = try? unsafe askBus("ReleaseName", [g_variant_new_string(name)]) }
    return try work()
  }

  /// Calls a method of the bus itself that returns a number.
  private func askBus(
    _ method: String, _ parameters: [OpaquePointer?]
  ) throws(SecretServiceFailure) -> UInt32 {
    var parameters = unsafe parameters
    let count = unsafe gsize(parameters.count)
    var error: UnsafeMutablePointer<GError>?
    let answer = unsafe g_dbus_connection_call_sync(
      bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method,
      g_variant_new_tuple(&parameters, count), nil, G_DBUS_CALL_FLAGS_NONE, -1, nil, &error)
    guard let answer = unsafe answer, let number = unsafe g_variant_get_child_value(answer, 0)
    else {
      throw unsafe SecretServiceFailure(taking: error)
    }
    defer {
      unsafe g_variant_unref(number)
      unsafe g_variant_unref(answer)
    }
    return unsafe g_variant_get_uint32(number)
  }

  /// All items with these attributes, locked ones too, in any order.
  package func items(
    with attributes: [String: String]
  ) throws(SecretServiceFailure) -> [SecretServiceItem] {
    var error: UnsafeMutablePointer<GError>?
    let table = Attributes(attributes)
    let list = unsafe secret_service_search_sync(
      service, nil, table.table, SECRET_SEARCH_ALL, nil, &error)
    if unsafe error != nil { throw unsafe SecretServiceFailure(taking: error) }
    var items: [SecretServiceItem] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let data = unsafe entry.pointee.data {
        items.append(
          unsafe SecretServiceItem(taking: data.assumingMemoryBound(to: SecretItem.self)))
      }
      unsafe next = unsafe entry.pointee.next
    }
    unsafe g_list_free(list)
    return items
  }

  /// True when the keyring for new items is locked; nil when there is no such keyring.
  package func isDefaultKeyringLocked() throws(SecretServiceFailure) -> Bool? {
    guard let keyring = try unsafe defaultKeyring() else { return nil }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(keyring)) }
    return unsafe secret_collection_get_locked(keyring) != 0
  }

  /// Stores `count` random bytes as a new item of the default keyring, even if there are items with
  /// the same attributes.
  package func createRandom(
    count: Int, label: String, attributes: [String: String]
  ) throws(SecretServiceFailure) {
    guard let keyring = try unsafe defaultKeyring() else {
      throw SecretServiceFailure(.noKeyring, "there is no default keyring")
    }
    defer { unsafe g_object_unref(UnsafeMutableRawPointer(keyring)) }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer {
      if let start = bytes.baseAddress { unsafe explicit_bzero(start, count) }
      unsafe bytes.deallocate()
    }
    var random = SystemRandomNumberGenerator()
    for index in bytes.indices { unsafe bytes[index] = random.next() }
    let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    let value = unsafe secret_value_new(start, gssize(count), "application/octet-stream")
    defer { unsafe secret_value_unref(UnsafeMutableRawPointer(value)) }
    let table = Attributes(attributes)
    var error: UnsafeMutablePointer<GError>?
    guard
      let item = unsafe secret_item_create_sync(
        keyring, nil, table.table, label, value, SECRET_ITEM_CREATE_NONE, nil, &error)
    else { throw unsafe SecretServiceFailure(taking: error) }
    unsafe g_object_unref(UnsafeMutableRawPointer(item))
  }

  /// Asks the user to unlock the keyrings of these items, or the default keyring when `items` is empty;
  /// blocks until the user has answered.
  ///
  /// Returns true when something was unlocked.
  package func unlock(_ items: [SecretServiceItem]) throws(SecretServiceFailure) -> Bool {
    var objects: UnsafeMutablePointer<GList>?
    var keyring: UnsafeMutablePointer<SecretCollection>?
    defer {
      unsafe g_list_free(objects)
      if let keyring = unsafe keyring { unsafe g_object_unref(UnsafeMutableRawPointer(keyring)) }
    }
    for item in items {
      unsafe objects = g_list_prepend(objects, UnsafeMutableRawPointer(item.item))
    }
    if items.isEmpty {
      unsafe keyring = try defaultKeyring()
      guard let keyring = unsafe keyring else { return true }
      unsafe objects = g_list_prepend(nil, UnsafeMutableRawPointer(keyring))
    }
    var error: UnsafeMutablePointer<GError>?
    let count = unsafe secret_service_unlock_sync(service, objects, nil, nil, &error)
    withExtendedLifetime(items) {}
    guard count >= 0, unsafe error == nil else { throw unsafe SecretServiceFailure(taking: error) }
    return count > 0
  }

  private func defaultKeyring() throws(SecretServiceFailure) -> UnsafeMutablePointer<
    SecretCollection
  >? {
    var error: UnsafeMutablePointer<GError>?
    let keyring = unsafe secret_collection_for_alias_sync(
      service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, nil, &error)
    if unsafe error != nil { throw unsafe SecretServiceFailure(taking: error) }
    return unsafe keyring
  }
}

/// Attributes in the form that libsecret takes.
@safe
final class Attributes {
  let table: OpaquePointer?

  init(_ attributes: [String: String]) {
    unsafe table = unsafe g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)
    for (name, value) in attributes {
      unsafe g_hash_table_insert(table, g_strdup(name), g_strdup(value))
    }
  }

  deinit { unsafe g_hash_table_unref(table) }
}
