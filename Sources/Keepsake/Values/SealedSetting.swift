/// One property of the value of a ``SealedSettings``, as a property of its own.
///
/// ```swift
/// @SealedSetting(\.fontSize, in: settings) var fontSize
/// ```
///
/// Reading it reads the value in memory; setting it changes and saves that value. Views follow it. In a class that is
/// `@Observable` write `@ObservationIgnored` before it. Its projected value, `$fontSize`, is the settings.
@MainActor @propertyWrapper
public struct SealedSetting<Value: Codable & Sendable, Property: Sendable> {
  private let property: any WritableKeyPath<Value, Property> & Sendable

  /// The settings that hold the property, with the failure of the last save.
  public let projectedValue: SealedSettings<Value>

  /// Names the property, and the settings that hold it.
  public init(
    _ property: any WritableKeyPath<Value, Property> & Sendable, in settings: SealedSettings<Value>
  ) {
    self.property = property
    projectedValue = settings
  }

  /// The property.
  public var wrappedValue: Property {
    get { projectedValue[property] }
    nonmutating set { projectedValue[property] = newValue }
  }
}
