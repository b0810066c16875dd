import Testing

@testable import Keepsake

@Suite struct `An error and its code` {
  @Test func `Five codes say that an error is about the key, and no other code does`() {
    let codes: [KeepsakeError.Code] = [
      .keyAbsent, .keyLocked, .keyWrong, .keyDamaged, .keyUnavailable, .stateInUse, .stateChanged,
      .invalidIdentifier, .stateAbsent, .sessionDiscarded, .damaged, .valueAbsent,
      .valueUnreadable, .valueNotStorable, .valueChanged, .storeUnavailable, .wrongPurpose,
      .staleState, .freshnessUnavailable, .pinNotKept, .durabilityUnknown, .migrationRefused,
      .slotWouldBeLost,
    ]
    #expect(codes.filter(\.isAboutKey) == Array(codes.prefix(5)))
  }

  @Test func `An error equals one with the same code, message and path`() {
    let error = KeepsakeError(.damaged, "It is damaged.", at: "/a")
    #expect(
      error
        == KeepsakeError(
          .damaged, "It is damaged.", at: "/a",
          underlyingError: KeepsakeError(.keyWrong, "The key is wrong.")))
    #expect(error != KeepsakeError(.valueUnreadable, "It is damaged.", at: "/a"))
    #expect(error != KeepsakeError(.damaged, "It is broken.", at: "/a"))
    #expect(error != KeepsakeError(.damaged, "It is damaged.", at: "/b"))
  }
}
