"""What is asked for: types, definitions and the plan that everything else runs on."""

from .build import add, select
from .document import shared_shapes
from .fit import option_of
from .forms import FORMS, choice_text, has_form
from .names import ITEM_NAMES, Path, fold, is_xml_name, show_path, snake_case
from .node import ABSENT, CONSTRAINTS, SCALARS, TEXTUAL, Field, Node, walk
from .placeholder import is_placeholder, placeholder
from .plan import Plan, per_plan, plan_of_document, plan_of_schema, plan_of_type
from .schema import describe_type, type_name

__all__ = [
    "ABSENT",
    "CONSTRAINTS",
    "FORMS",
    "ITEM_NAMES",
    "SCALARS",
    "TEXTUAL",
    "Field",
    "Node",
    "Path",
    "Plan",
    "add",
    "choice_text",
    "describe_type",
    "fold",
    "has_form",
    "is_placeholder",
    "is_xml_name",
    "option_of",
    "per_plan",
    "placeholder",
    "plan_of_document",
    "plan_of_schema",
    "plan_of_type",
    "select",
    "shared_shapes",
    "show_path",
    "snake_case",
    "type_name",
    "walk",
]
