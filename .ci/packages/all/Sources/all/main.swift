import Keepsake

print("Keepsake was imported.")
