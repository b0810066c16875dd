import PlantedAbove
import Testing

@Suite struct `An age` {
  @Test func `An age is old from twenty-one on`() {
    #expect(!isOld(20))
    #expect(isOld(21))
  }
}
