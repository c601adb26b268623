print(31.5)
