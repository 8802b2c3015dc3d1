"""Pictures and tables: SVG through Graphviz, terminal, HTML report, sequence diagrams."""
