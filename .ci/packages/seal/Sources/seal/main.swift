import KeepsakeSeal

print("KeepsakeSeal was imported.")
