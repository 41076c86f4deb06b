"""Types, definitions and the plan that everything else runs on."""

from .build import add
from .from_type import describe_type, shown_value, type_name, value_remedy
from .jsonable import coded_choice, from_base64, in_order, to_jsonable
from .lexical import FORMS, MARKED, choice_text, choices_by_text, has_form
from .names import ITEM_NAMES, Path, fold, is_near, is_xml_name, show_path, snake_case, spelling
from .node import CONSTRAINTS, KINDS, MISSING, SCALARS, TEXTUAL, Field, Node, children, walk
from .numbers import MARK, is_same, restored, storable
from .plan import Plan, per_plan, plan_of_document, plan_of_schema, plan_of_type, shared_plan, to_json
from .plurals import singulars
from .select import Selection, kept, select
from .shapes import free_name, shape_key, shared_shapes
from .transform import Change, Walk, transform
from .unions import Measure, match_union_option

__all__ = [
    "CONSTRAINTS",
    "FORMS",
    "ITEM_NAMES",
    "KINDS",
    "MARK",
    "MARKED",
    "MISSING",
    "SCALARS",
    "TEXTUAL",
    "Change",
    "Field",
    "Measure",
    "Node",
    "Path",
    "Plan",
    "Selection",
    "Walk",
    "add",
    "children",
    "choice_text",
    "choices_by_text",
    "coded_choice",
    "describe_type",
    "fold",
    "free_name",
    "from_base64",
    "has_form",
    "in_order",
    "is_near",
    "is_same",
    "is_xml_name",
    "kept",
    "match_union_option",
    "per_plan",
    "plan_of_document",
    "plan_of_schema",
    "plan_of_type",
    "restored",
    "select",
    "shape_key",
    "shared_plan",
    "shared_shapes",
    "show_path",
    "shown_value",
    "singulars",
    "snake_case",
    "spelling",
    "storable",
    "to_json",
    "to_jsonable",
    "transform",
    "type_name",
    "value_remedy",
    "walk",
]
