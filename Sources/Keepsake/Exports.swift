// An app imports only `Keepsake`.
@_exported public import KeepsakeArchive
@_exported public import KeepsakeCodable
@_exported public import KeepsakeFiles
@_exported public import KeepsakeHeadless
@_exported public import KeepsakeJournal
@_exported public import KeepsakeMigration
@_exported public import KeepsakeRestoration
@_exported public import KeepsakeSeal
