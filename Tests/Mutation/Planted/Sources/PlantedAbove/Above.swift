import Planted

package func isOld(_ age: Int) -> Bool { seenFromAbove(age) }
