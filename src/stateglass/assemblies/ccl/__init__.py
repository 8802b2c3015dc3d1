"""CCL, the construction and composition language: designs of components and assemblies as text."""

from stateglass.assemblies.ccl.reader import read_design

__all__ = ["read_design"]
