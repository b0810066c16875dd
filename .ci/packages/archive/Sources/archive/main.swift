import KeepsakeArchive

print("KeepsakeArchive was imported.")
