"""What a user says about the model to be made: abstraction maps (`.am`) and label maps (`.lm`)."""

from stateglass.system.maps.abstractions import (
    ArrayOf,
    MapAbstraction,
)
from stateglass.system.maps.conditions import (
    Combined,
    Condition,
    Named,
    Number,
    Prefixed,
    Target,
    VariableName,
)
from stateglass.system.maps.entries import AbstractionMap, FileScope, FunctionScope, VariableEntry
from stateglass.system.maps.loading import (
    Maps,
    abstraction_map,
    abstractions_of_table,
    label_map,
    labels_of_list,
    load_maps,
)
from stateglass.system.maps.places import PlaceName
from stateglass.system.maps.resolved import (
    ResolvedAbstractions,
    ResolvedCall,
    ResolvedEvent,
    ResolvedExit,
    ResolvedLabels,
    ResolvedLine,
    ResolvedRead,
    ResolvedReturn,
    ResolvedRule,
    ResolvedWatch,
    ResolvedWrite,
    ValueTest,
)
from stateglass.system.maps.resolving_abstractions import resolve_abstractions
from stateglass.system.maps.resolving_labels import resolve_labels
from stateglass.system.maps.rules import Label, LabelMap, Parameter, Relation, Rule

__all__ = [
    "AbstractionMap",
    "ArrayOf",
    "Combined",
    "Condition",
    "FileScope",
    "FunctionScope",
    "Label",
    "LabelMap",
    "MapAbstraction",
    "Maps",
    "Named",
    "Number",
    "Parameter",
    "PlaceName",
    "Prefixed",
    "Relation",
    "ResolvedAbstractions",
    "ResolvedCall",
    "ResolvedEvent",
    "ResolvedExit",
    "ResolvedLabels",
    "ResolvedLine",
    "ResolvedRead",
    "ResolvedReturn",
    "ResolvedRule",
    "ResolvedWatch",
    "ResolvedWrite",
    "Rule",
    "Target",
    "ValueTest",
    "VariableEntry",
    "VariableName",
    "abstraction_map",
    "abstractions_of_table",
    "label_map",
    "labels_of_list",
    "load_maps",
    "resolve_abstractions",
    "resolve_labels",
]
