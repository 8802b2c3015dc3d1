"""What generated programs have beyond the core of C: unions, floats, the heap, the library, extensions of GNU C.

Everything here is written as closed pieces (an operator, a block, a function) around expressions of the core generator.
"""
