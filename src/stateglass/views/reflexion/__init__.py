"""Reflexion models for people and programs: words, table, JSON, pictures and a page with the source beside them."""

from stateglass.views.reflexion.facts import facts
from stateglass.views.reflexion.table import conclusion, table, wrapped
from stateglass.views.reflexion.together import Part, together
from stateglass.views.reflexion.writing import check_outputs, write_reflexion

__all__ = ["Part", "check_outputs", "conclusion", "facts", "table", "together", "wrapped", "write_reflexion"]
