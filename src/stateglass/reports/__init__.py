"""The shapes of what commands say to scripts: typed dictionaries, from which the published JSON schemas are made."""

from stateglass.reports.claims import CheckReport, EvidenceReport, ReplayReport, VerdictReport
from stateglass.reports.code import (
    AbstractionReport,
    CandidateReport,
    ConfigReport,
    DoctorReport,
    FileReadReport,
    InitReport,
    ProposedReport,
    ScanReport,
)
from stateglass.reports.models import (
    ClassesFile,
    ConvertReport,
    DemoReport,
    DrawReport,
    ExtractReport,
    PathReport,
    ReduceReport,
    Sizes,
    Summary,
    Way,
    WrittenReport,
)
from stateglass.reports.reflexion import ReflectReport, RefusedHypothesis, SeveralReflectReport
from stateglass.reports.relating import CompareReport, MonitoredState, MonitorReport
from stateglass.reports.shared import ErrorReport, ErrorsReport, StepReport

SHAPES: dict[str, tuple[type, ...]] = {
    "abstraction": (AbstractionReport,),
    "check": (CheckReport,),
    "compare": (CompareReport,),
    "compose": (WrittenReport,),
    "config": (ConfigReport,),
    "convert": (ConvertReport,),
    "demo": (DemoReport,),
    "doctor": (DoctorReport,),
    "draw": (DrawReport,),
    "extract": (ExtractReport,),
    "info": (Summary, PathReport),
    "init": (InitReport,),
    "monitor": (MonitorReport,),
    "reduce": (ReduceReport,),
    "reflect": (ReflectReport, SeveralReflectReport),
    "replay": (ReplayReport,),
    "scan": (ScanReport,),
    "transform": (WrittenReport,),
}
"""What each command may print with `--format json`; after a failure each prints an `ErrorsReport`."""

__all__ = [
    "SHAPES",
    "AbstractionReport",
    "CandidateReport",
    "CheckReport",
    "ClassesFile",
    "CompareReport",
    "ConfigReport",
    "ConvertReport",
    "DemoReport",
    "DoctorReport",
    "DrawReport",
    "ErrorReport",
    "ErrorsReport",
    "EvidenceReport",
    "ExtractReport",
    "FileReadReport",
    "InitReport",
    "MonitorReport",
    "MonitoredState",
    "PathReport",
    "ProposedReport",
    "ReduceReport",
    "ReflectReport",
    "RefusedHypothesis",
    "ReplayReport",
    "ScanReport",
    "SeveralReflectReport",
    "Sizes",
    "StepReport",
    "Summary",
    "VerdictReport",
    "Way",
    "WrittenReport",
]
