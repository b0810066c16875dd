import Foundation
import Testing

/// A contact as an old program has it.
final class FormerContact: NSObject, NSCoding {
  let name: String
  var friends: [FormerContact] = []

  init(name: String) { self.name = name }

  required init?(coder: NSCoder) { nil }

  func encode(with coder: NSCoder) {
    coder.encode(name, forKey: "name")
    coder.encode(friends, forKey: "friends")
  }

  /// The file of two contacts who are friends.
  static func file(_ format: PropertyListSerialization.PropertyListFormat) -> Data {
    let (ada, ben) = (FormerContact(name: "Ada"), FormerContact(name: "Ben"))
    (ada.friends, ben.friends) = ([ben], [ada])
    defer { ada.friends = [] }
    let archiver = NSKeyedArchiver(requiringSecureCoding: false)
    archiver.outputFormat = format
    archiver.encode(ada, forKey: NSKeyedArchiveRootObjectKey)
    archiver.finishEncoding()
    return archiver.encodedData
  }
}

@Suite struct `A keyed archive on the command line` {
  private let name = "CommandLineTests.FormerContact"

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.binary, .xml])
  func `A keyed archive is recognised and imported with its objects and references`(
    format: PropertyListSerialization.PropertyListFormat
  ) throws {
    try Workplace.with { place in
      try place.write("old.plist", FormerContact.file(format))
      try place.succeed(
        "import", "old.plist", "-o", "new", "--rename", "\(name)=Contact", "--bundle-version", "1.0"
      )
      try place.succeed("verify", "new")
      let tree = try place.succeed("inspect", "new").output
      #expect(tree.contains("Contact") && !tree.contains(name), "\(tree)")
      #expect(tree.contains("1.0") && tree.contains("\"Ben\""), "\(tree)")
      #expect(try place.succeed("get", "new", "name").output == "Ada\n")
      // The archive is read from a pipe, sealed, and imported without another name.
      try place.succeed("keygen", "key", "my.key")
      try place.succeed(
        "import", "-", "--key", "my.key", "-o", "sealed",
        input: FormerContact.file(format))
      #expect(
        try place.succeed("inspect", "sealed", "--key", "my.key").output.contains(name))
    }
  }

  @Test func `The classes of a keyed archive are listed with their keys, and nothing is written`()
    throws
  {
    try Workplace.with { place in
      try place.write("old.plist", FormerContact.file(.binary))
      #expect(
        try place.succeed("import", "old.plist", "--list-classes").output
          == "\(name), 2 objects: friends, name\n")
      #expect(
        try place.succeed("import", "old.plist", "--list-classes", "--rename", "\(name)=A").output
          == "\(name) as A, 2 objects: friends, name\n")
      #expect(try place.names() == ["old.plist"])
    }
  }

  @Test func `Each bad input to the import of a keyed archive has its exit code and sentence`()
    throws
  {
    try Workplace.with { place in
      let file = FormerContact.file(.binary)
      try place.write("old.plist", file)
      try place.write("cut.plist", file.dropLast(10))
      try place.write("plain.json", "{}")
      let damaged = try place.fail(
        65, "import", "cut.plist", "-o", "new", "--format", "keyed")
      #expect(damaged.contains("cut.plist is not an archive of NSKeyedArchiver that can be read: "))
      let plain = try place.fail(65, "import", "old.plist", "-o", "new", "--format", "plist")
      #expect(plain.contains("as archives of NSKeyedArchiver do, which are not plain values"))
      #expect(
        try place.fail(65, "import", "plain.json", "--list-classes").contains("plain.json is not"))
      for (arguments, reason) in [
        (["plain.json", "--rename", "A=B"], "has no classes for --rename"),
        (["old.plist", "--rename", "A"], "\"A\" is not the name of a class"),
        (["old.plist", "--rename", "A=B=C"], "is not the name of a class"),
        (["old.plist", "--rename", "=B"], "is not the name of a class"),
        (["old.plist", "--rename", "A=B", "--rename", "A=C"], "names the class A twice"),
        (
          ["old.plist", "--rename", "A=B"],
          "has no object of the class \"A\", which --rename names; --list"
        ),
        (
          ["old.plist", "--rename", "FormerContact=B"],
          "did you mean \"\(name)\"? --list-classes prints"
        ),
        (["old.plist", "--rename", "\(name)s=B"], "did you mean \"\(name)\"?"),
        (["old.plist", "--rename", "NSArray=B", "--list-classes"], "of the class \"NSArray\""),
      ] {
        let result = try Tool.run(
          program: "keepsake", ["import", "-o", "new"] + arguments, in: place.directory)
        #expect(result.exitCode == 64 && result.error.contains(reason), "\(result.error)")
      }
      try place.fail(66, "import", "absent.plist", "--list-classes")
      #expect(try place.names() == ["cut.plist", "old.plist", "plain.json"])
    }
  }

  @Test func `A file whose name begins with a hyphen is read, and errors name it`() throws {
    try Workplace.with { place in
      try place.write("-plain.json", "{}")
      let error = try place.fail(65, "import", "--list-classes", "--", "-plain.json")
      #expect(error.contains("-plain.json is not"), "\(error)")
      try place.succeed("import", "-o", "new", "--", "-plain.json")
      try place.succeed("verify", "new")
    }
  }
}
