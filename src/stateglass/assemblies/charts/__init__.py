"""State diagrams as designs: SCXML, PlantUML and Mermaid, each a component with one reaction."""

from stateglass.assemblies.charts.making import design_of, reaction_of, read_diagram

__all__ = ["design_of", "reaction_of", "read_diagram"]
