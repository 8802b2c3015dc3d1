"""CCL, the construction and composition language: designs of components and assemblies as text."""

from stateglass.assemblies.ccl.printer import print_design
from stateglass.assemblies.ccl.reader import read_design
from stateglass.assemblies.ccl.writing_back import written_back

__all__ = ["print_design", "read_design", "written_back"]
