import Planted
import Testing

@Suite struct `Noticed mutants` {
  @Test func `Values are right`() throws {
    #expect(bound(9))
    #expect(!bound(10))
    #expect(condition(true) == "loud")
    #expect(condition(false) == "quiet")
    #expect(operation(2, 3) == 5)
    #expect(difference(5, 3) == 2)
    #expect(arguments(5, 3) == 2)
    #expect(fallback(4) == 4)
    #expect(fallback(nil) == 5)
    #expect(given() == 3)
    #expect(flags(0o040) == 0o640)
    #expect(loop([1, 100, 101, 5]) == 2)
    #expect(member([1, 2]) == 1)
    let thing = Thing()
    #expect(identity(thing, thing))
    #expect(!identity(thing, Thing()))
    #expect(less(5) == 3)
    #expect(passing(4) == 6)
    #expect(whole("keep"))
    #expect(!whole("keepsake"))
    #expect(inlined(4))
    #expect(settled() == 4)
    #expect(!inlined(5))
  }

  @Test func `Refusals are thrown`() throws {
    #expect(try check(3) == 3)
    #expect(throws: Refusal.self) { try check(0) }
    #expect(throws: Refusal.self) { try thrower(0) }
  }

  @Test func `Lists are filled`() {
    var list: [Int] = []
    statement(&list)
    #expect(list == [7])
    order(&list)
    #expect(list == [7, 1, 2])
  }
}

@Suite struct `Mutants that end` {
  @Test func `Numbers are added up`() {
    #expect(sum(upTo: 4) == 10)
    #expect(total([1, 2, 3]) == 6)
  }
}

@Suite struct `Unnoticed mutants` {
  @Test func `Functions are run without a check of their limits`() throws {
    #expect(unnoticedBound(3))
    #expect(!unnoticedBound(30))
    #expect(try unnoticedCheck(3) == 3)
    #expect(reserved().isEmpty)
    _ = seenFromAbove(21)
    #expect(Handle(3).close() == 3)
  }
}
