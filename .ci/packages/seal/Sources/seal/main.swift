import KeepsakeSeal

print(try SealKey.generate())
