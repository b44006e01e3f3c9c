"""What the fast twins are written with: whole numbers, bits, chance. Plain Python that numba can compile as it is."""
