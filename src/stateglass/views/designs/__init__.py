"""Component designs as pictures: assemblies, statecharts, and runs with components as lifelines."""

from stateglass.views.designs.assembly import assembly_picture
from stateglass.views.designs.runs import Happening, run_diagram, run_lines, run_picture
from stateglass.views.designs.statechart import statechart_picture

__all__ = ["Happening", "assembly_picture", "run_diagram", "run_lines", "run_picture", "statechart_picture"]
