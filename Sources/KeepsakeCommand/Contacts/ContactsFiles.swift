import Foundation
import Keepsake

/// The files of the contacts app: its model, and the directory of its saved state.
struct ContactsFiles {
  let directory: URL

  init(directory: String) {
    self.directory = URL(fileURLWithPath: directory, isDirectory: true)
  }

  var model: URL { directory.appendingPathComponent("contacts.json") }

  var state: StateDirectory {
    StateDirectory(path: directory.appendingPathComponent("state").path)
  }

  /// Reads the contacts, or makes the sample ones where there is no model file yet.
  @MainActor
  func contactBook() throws -> ContactBook {
    if FileManager.default.fileExists(atPath: model.path) {
      return try ContactBook(readingFrom: model)
    }
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    } catch {
      throw Failure(
        message: "The directory \(directory.path) cannot be made: \(error.localizedDescription) "
          + "Name a directory in a place that can be written.",
        status: .inputOutput)
    }
    let book = ContactBook.sample()
    try book.write(to: model)
    return book
  }
}
