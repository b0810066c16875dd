/// The meanings of the words in brackets after a subject: the ways in which it is used.
package enum VariantGlossary {
  private static let meanings = [
    "@Archivable": "methods that the macro writes, instead of ones written by hand",
    "40 ms": "behind a network on which each answer takes 40 ms longer",
    "AES.GCM": "the cipher of that name, the whole content in one call",
    "ChaChaPoly": "the cipher of that name, the whole content in one call",
    "XML": "a property list as XML, instead of JSON",
    "absent": "a key that the object does not have",
    "archive alone": "the same values through the archive, without the engine of restoration",
    "borrowed": "numbers read in place in the archive, without a copy",
    "by hand":
      "decoded as the program's own types, changed and encoded, as one would without steps",
    "changing keys": "objects whose set of keys changes from one to the next",
    "closures": "steps as closures over whole records",
    "decode and encode": "decoded as the program's own types and encoded again, unchanged",
    "dynamic": "a document of values without types, as an inspector has it",
    "dynamic walk": "every value read without types",
    "file": "one sealed file, without the store around it",
    "import": "a file of NSKeyedArchiver, read without its classes",
    "import and write": "the same, and the archive of it written",
    "keys of a list": "keys in the order in which they were written, out of a list",
    "on disk": "a file on disk, written and read piece by piece or at one place",
    "one row": "one value of one row is changed, and the others stay as they are",
    "opened before": "one more value of a file that is open",
    "opened before, 40 ms": "the same, behind a network on which each answer takes 40 ms longer",
    "packed": "all numbers of all triangles as one list, instead of a record for each triangle",
    "process, disk": "a program of its own, from start to end, with files on disk",
    "random": "keys in any order",
    "same memory":
      "into memory that was used before, so that no page is touched for the first time",
    "same schema": "without room for types that gain fields: both sides have the same ones",
    "saved properties":
      "objects whose values are saved properties, instead of methods written by hand",
    "saved properties, first save":
      "the same, in the first save by a state, of objects whose properties another state has found",
    "saved properties, new objects":
      "the same objects made and saved for the first time, which finds their properties",
    "signed": "a signature of a trusted signer is required",
    "signed, 40 ms": "the same, behind a network on which each answer takes 40 ms longer",
    "stream": "written and read piece by piece, in memory that does not grow with the content",
    "the change": "the change of 100 bytes alone is saved, to a journal",
    "the whole value": "the value with the change is saved as a whole",
    "values": "the tree as one value whose parts have no identity, instead of objects",
    "whole": "the whole file is downloaded first",
    "whole, 40 ms": "the same, behind a network on which each answer takes 40 ms longer",
    "whole process": "a program of its own, from start to end, with files in memory",
    "with encoding": "the state is encoded and decoded too",
    "without the chain": "each entry is authenticated, and the chain between them is not computed",
  ]

  /// The meaning of a variant; nil when it is not listed.
  package static func meaning(of variant: String) -> String? { meanings[variant] }

  /// The variants of some rows with their meanings, sorted by name.
  package static func entries(for rows: [ResultRow]) -> [(variant: String, meaning: String)] {
    Set(rows.compactMap(\.identity.variant)).sorted().compactMap { variant in
      meaning(of: variant).map { (variant, $0) }
    }
  }
}
